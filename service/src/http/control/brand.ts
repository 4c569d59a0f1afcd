import type { Brand as BrandView, Domain as DomainView } from '@gatehouse-auth/contract'
import * as endpoints from '@gatehouse-auth/contract'
import type { z } from 'zod'
import { type Domain, proofsOf, registrableDomain } from '../../domain/brand/domain.ts'
import type { TenantId } from '../../domain/ids.ts'
import {
  type DescribedBrand,
  deleteBrand,
  deleteLogo,
  readBrand,
  requireLogoUpload,
  setBrand,
  setLogo,
} from '../../operations/brand/brand.ts'
import {
  addDomain,
  checkDomain,
  deleteDomain,
  listDomains,
} from '../../operations/brand/domains.ts'
import { keyAuthor } from '../callers/author.ts'
import { managementKey } from '../callers/bearer.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { iso, isoOrNull } from '../event-views.ts'
import { logoPath } from '../logo.ts'
import { mountForManagementKey } from '../mount-endpoint.ts'
import { readFile } from '../request/body.ts'

export function brandRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps
  const view = (
    { id }: { readonly id: TenantId },
    brand: DescribedBrand,
  ): z.infer<typeof BrandView> => ({
    name: brand.name,
    privacy_url: brand.privacyUrl,
    terms_url: brand.termsUrl,
    accent: brand.accent,
    logo:
      brand.logo === null
        ? null
        : { url: ctx.baseUrl + logoPath(id, brand.logo), size: brand.logo.size },
    shown_on: [...brand.shownOn],
  })

  mountForManagementKey(app, deps, endpoints.readBrand, async (_input, _c, tenant) => {
    const brand = await readBrand(ctx, tenant)
    return { brand: brand === null ? null : view(tenant, brand) }
  })

  mountForManagementKey(app, deps, endpoints.setBrand, async ({ body }, c, tenant, key) => {
    const { name, privacy_url: privacyUrl = null, terms_url: termsUrl = null, accent = null } = body
    const brand = await setBrand(
      ctx,
      tenant,
      { name, privacyUrl, termsUrl, accent },
      keyAuthor(c, key),
    )
    return { brand: view(tenant, brand) }
  })

  mountForManagementKey(app, deps, endpoints.deleteBrand, async (_input, c, tenant, key) => {
    await deleteBrand(ctx, tenant, keyAuthor(c, key))
    return { success: true as const }
  })

  mountForManagementKey(app, deps, endpoints.setLogo, async (_input, c, tenant, key) => {
    await requireLogoUpload(ctx, tenant)
    const upload = await readFile(c, endpoints.setLogo.fileBody, endpoints.setLogo.bodyMaxBytes)
    // Again: the body may arrive after a suspension or the end of the key.
    await requireLogoUpload(ctx, (await managementKey(ctx, c)).tenant)
    return { brand: view(tenant, await setLogo(ctx, tenant, upload, keyAuthor(c, key))) }
  })

  mountForManagementKey(app, deps, endpoints.deleteLogo, async (_input, c, tenant, key) => {
    await deleteLogo(ctx, tenant, keyAuthor(c, key))
    return { success: true as const }
  })
}

export function domainRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mountForManagementKey(app, deps, endpoints.addDomain, async ({ body }, c, tenant, key) => ({
    domain: domainView(await addDomain(ctx, tenant, body.host, keyAuthor(c, key))),
  }))

  mountForManagementKey(app, deps, endpoints.listDomains, async (_input, _c, tenant) => ({
    domains: (await listDomains(ctx, tenant)).map(domainView),
  }))

  mountForManagementKey(app, deps, endpoints.checkDomain, async ({ params }, c, tenant, key) => {
    const { domain, found } = await checkDomain(ctx, tenant, params.host, keyAuthor(c, key))
    return { domain: domainView(domain), found: { dns: found.dns, file: found.file } }
  })

  mountForManagementKey(app, deps, endpoints.deleteDomain, async ({ params }, c, tenant, key) => {
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
    verified_at: isoOrNull(domain.verifiedAt),
    checked_at: isoOrNull(domain.checkedAt),
    next_check_at: isoOrNull(domain.nextCheckAt),
    missed_checks: domain.misses,
    created_at: iso(domain.createdAt),
  }
}
