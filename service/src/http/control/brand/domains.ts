import {
  addDomain as addDomainEndpoint,
  checkDomain as checkDomainEndpoint,
  type Domain as DomainView,
  deleteDomain as deleteDomainEndpoint,
  listDomains as listDomainsEndpoint,
} from '@gatehouse/contract'
import type { z } from 'zod'
import { type Domain, proofsOf, registrableDomain } from '../../../domain/brand/domain.ts'
import { addDomain, checkDomain, deleteDomain, listDomains } from '../../../operations/brand/domains.ts'
import { keyAuthor } from '../../callers/author.ts'
import type { App, HttpDependencies } from '../../dependencies.ts'
import { mountForManagementKey } from '../../mount-endpoint.ts'

export function domainRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mountForManagementKey(app, deps, addDomainEndpoint, async ({ body }, c, tenant, key) => ({
    domain: domainView(await addDomain(ctx, tenant, body.host, keyAuthor(c, key))),
  }))

  mountForManagementKey(app, deps, listDomainsEndpoint, async (_input, _c, tenant) => ({
    domains: (await listDomains(ctx, tenant)).map(domainView),
  }))

  mountForManagementKey(app, deps, checkDomainEndpoint, async ({ params }, c, tenant, key) => {
    const { domain, found } = await checkDomain(ctx, tenant, params.host, keyAuthor(c, key))
    return { domain: domainView(domain), found: { dns: found.dns, file: found.file } }
  })

  mountForManagementKey(app, deps, deleteDomainEndpoint, async ({ params }, c, tenant, key) => {
    await deleteDomain(ctx, tenant, params.host, keyAuthor(c, key))
    return { success: true as const }
  })
}

function domainView(domain: Domain): z.infer<typeof DomainView> {
  const { value, recordName, fileUrl } = proofsOf(domain)
  return {
    host: domain.host,
    registrable_domain: registrableDomain(domain.host),
    status: domain.status,
    method: domain.method,
    dns: recordName === null ? null : { type: 'TXT', name: recordName, value },
    file: { url: fileUrl, content: value },
    verified_at: time(domain.verifiedAt),
    checked_at: time(domain.checkedAt),
    next_check_at: time(domain.nextCheckAt),
    missed_checks: domain.misses,
    created_at: new Date(domain.createdAt).toISOString(),
  }
}

const time = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())
