import { DOMAIN_CHECKS_PER_HOUR } from '@gatehouse/contract'
import type { Author } from '../../domain/audit/action.ts'
import { type Domain, type Found, methodOf, proofsOf, RECHECK_MS } from '../../domain/brand/domain.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { recordAction } from '../audit/record-action.ts'
import type { Context } from '../context.ts'
import { type HourlyLimit, limitByTenant } from '../limits/limit-by-tenant.ts'
import { domainNotFound, domainRef, requireDomain } from './require-domain.ts'
import { requireOwner } from './require-owner.ts'

/** Prevents that a key makes this service send any number of requests to a host that it chose. */
const CHECK_LIMIT: HourlyLimit = {
  scope: 'domain-checks',
  perHour: DOMAIN_CHECKS_PER_HOUR,
  action: 'check its domains',
}

export interface CheckedDomain {
  readonly domain: Domain
  readonly found: Found
}

/** Looks for the record and the file now. Only the weekly check ends a verification: a miss here changes nothing. */
export async function checkDomain(ctx: Context, tenant: Tenant, host: string, author: Author): Promise<CheckedDomain> {
  const now = ctx.now()
  requireOwner(tenant, now)
  const ref = domainRef(ctx, tenant, host)
  await requireDomain(ctx.stores, ref)
  await ctx.stores.transaction((stores) => limitByTenant(stores, CHECK_LIMIT, tenant, now))
  const found = await ctx.probeDomain(proofsOf(ref))
  const method = methodOf(found)
  if (method === null) return { domain: await requireDomain(ctx.stores, ref), found }
  const domain = await ctx.stores.transaction(async (stores) => {
    const verified = await stores.domains.verify(ref, { method, at: now, nextCheckAt: now + RECHECK_MS })
    // It was deleted during the check.
    if (verified === null) throw domainNotFound()
    if (verified === 'new') {
      await recordAction(stores, { tenantId: tenant.id, author, action: 'domain.verified', target: ref.host, at: now })
    }
    return requireDomain(stores, ref)
  })
  return { domain, found }
}
