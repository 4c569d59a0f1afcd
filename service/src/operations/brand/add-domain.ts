import { DOMAINS_MAX } from '@gatehouse/contract'
import { ApiError } from '../../domain/api-error.ts'
import type { Author } from '../../domain/audit/action.ts'
import type { Domain } from '../../domain/brand/domain.ts'
import { readDomainHost } from '../../domain/brand/domain-host.ts'
import { invalidRequest } from '../../domain/invalid-request.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { recordAction } from '../audit/record-action.ts'
import type { Context } from '../context.ts'
import { requireDomain } from './require-domain.ts'
import { requireOwner } from './require-owner.ts'

/** Idempotent: a domain that exists stays as it is. */
export async function addDomain(ctx: Context, tenant: Tenant, text: string, author: Author): Promise<Domain> {
  const now = ctx.now()
  requireOwner(tenant, now)
  const read = readDomainHost(text, ctx.baseUrl)
  if (!read.ok)
    throw invalidRequest(`This domain cannot be verified. ${read.problem}`, [{ path: 'host', problem: read.problem }])
  const ref = { tenantId: tenant.id, host: read.host }
  return ctx.stores.transaction(async (stores) => {
    const added = await stores.domains.add(ref, now, DOMAINS_MAX)
    if (added === 'limit') throw tooMany()
    if (added === 'added') {
      await recordAction(stores, { tenantId: tenant.id, author, action: 'domain.added', target: ref.host, at: now })
    }
    return requireDomain(stores, ref)
  })
}

const tooMany = (): ApiError =>
  new ApiError('domainLimit', `This tenant has ${DOMAINS_MAX} domains, as many as it may. Delete one first.`, {
    details: { limit: DOMAINS_MAX },
  })
