import { DOMAIN_CHECKS_PER_HOUR, DOMAINS_MAX } from '@gatehouse-auth/contract'
import { ApiError, invalidRequest } from '../../domain/api-error.ts'
import {
  type Domain,
  type DomainRef,
  type Found,
  methodOf,
  proofsOf,
  RECHECK_MS,
  readDomainHost,
  recheck,
} from '../../domain/brand/domain.ts'
import type { TransactionStores } from '../../domain/stores/stores.ts'
import type { Author } from '../../domain/tenants/audit.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'
import { type HourlyLimit, limitByTenant } from '../limits/limit-requests.ts'
import { recordAction } from '../tenants/audit.ts'
import { requireOwner } from './brand.ts'

/** Idempotent: a domain that exists stays as it is. */
export async function addDomain(
  ctx: Context,
  tenant: Tenant,
  text: string,
  author: Author,
): Promise<Domain> {
  const now = ctx.now()
  requireOwner(tenant, now)
  const read = readDomainHost(text, ctx.baseUrl)
  if (!read.ok) {
    throw invalidRequest(`This domain cannot be verified. ${read.problem}`, [
      { path: 'host', problem: read.problem },
    ])
  }
  const ref = { tenantId: tenant.id, host: read.host }
  return ctx.stores.transaction(async (stores) => {
    const added = await stores.domains.add(ref, now, DOMAINS_MAX)
    if (added === 'limit') {
      throw tooMany()
    }
    if (added === 'added') {
      await recordAction(stores, {
        tenantId: tenant.id,
        author,
        action: 'domain.added',
        target: ref.host,
        at: now,
      })
    }
    return requireDomain(stores, ref)
  })
}

const tooMany = (): ApiError =>
  new ApiError(
    'domainLimit',
    `This tenant has ${DOMAINS_MAX} domains, as many as it may. Delete one first.`,
    { details: { limit: DOMAINS_MAX } },
  )

export async function listDomains(ctx: Context, tenant: Tenant): Promise<Domain[]> {
  requireOwner(tenant, ctx.now(), 'read')
  return ctx.stores.domains.listByTenant(tenant.id)
}

/** Prevents that a key makes this service send any number of requests to a host that it chose. */
const CHECK_LIMIT: HourlyLimit = {
  scope: 'domain-checks',
  perHour: DOMAIN_CHECKS_PER_HOUR,
  action: 'check its domains',
}

interface CheckedDomain {
  readonly domain: Domain
  readonly found: Found
}

/** Looks for the record and the file now. Only the weekly check ends a verification: a miss here changes nothing. */
export async function checkDomain(
  ctx: Context,
  tenant: Tenant,
  host: string,
  author: Author,
): Promise<CheckedDomain> {
  const now = ctx.now()
  requireOwner(tenant, now)
  const ref = domainRef(ctx, tenant, host)
  await requireDomain(ctx.stores, ref)
  await ctx.stores.transaction((stores) => limitByTenant(stores, CHECK_LIMIT, tenant, now))
  const found = await ctx.probeDomain(proofsOf(ref))
  const method = methodOf(found)
  if (method === null) {
    return { domain: await requireDomain(ctx.stores, ref), found }
  }
  const domain = await ctx.stores.transaction(async (stores) => {
    const verified = await stores.domains.verify(ref, {
      method,
      at: now,
      nextCheckAt: now + RECHECK_MS,
    })
    // It was deleted during the check.
    if (verified === null) {
      throw domainNotFound()
    }
    if (verified === 'new') {
      await recordAction(stores, {
        tenantId: tenant.id,
        author,
        action: 'domain.verified',
        target: ref.host,
        at: now,
      })
    }
    return requireDomain(stores, ref)
  })
  return { domain, found }
}

/** All are checked at once, so that hosts that never answer delay a sweep by one timeout. */
const DOMAINS_PER_SWEEP = 10

type RecheckContext = Pick<Context, 'stores' | 'now' | 'probeDomain'>

/** Checks verified domains every week. For the sweep: no transaction is open while a host is asked. */
export async function recheckDomains(ctx: RecheckContext): Promise<void> {
  const due = await ctx.stores.domains.listDue(ctx.now(), DOMAINS_PER_SWEEP)
  await Promise.all(due.map((ref) => recheckDomain(ctx, ref)))
}

/** Far longer than a check. After it, another process checks the domain of one that was killed. */
const LEASE_MS = 5 * 60_000

const SWEEP: Author = { actor: 'operator', requestId: 'sweep' }

async function recheckDomain(
  { stores, now, probeDomain }: RecheckContext,
  ref: DomainRef,
): Promise<void> {
  const lease = now() + LEASE_MS
  const domain = await stores.domains.lease(ref, now(), lease)
  if (domain === null) {
    return
  }
  const result = recheck(domain, await probeDomain(proofsOf(domain)), now())
  await stores.transaction(async (open) => {
    // false: the owner checked, deleted or added it meanwhile, and that is newer.
    const isSaved = await open.domains.saveRecheck(domain, lease, result)
    if (!isSaved || result.status === 'verified') {
      return
    }
    await recordAction(open, {
      tenantId: domain.tenantId,
      author: SWEEP,
      action: 'domain.lapsed',
      target: domain.host,
      at: result.checkedAt,
    })
  })
}

export async function deleteDomain(
  ctx: Context,
  tenant: Tenant,
  host: string,
  author: Author,
): Promise<void> {
  const now = ctx.now()
  requireOwner(tenant, now)
  const ref = domainRef(ctx, tenant, host)
  await ctx.stores.transaction(async (stores) => {
    if (!(await stores.domains.remove(ref))) {
      throw domainNotFound()
    }
    await recordAction(stores, {
      tenantId: tenant.id,
      author,
      action: 'domain.deleted',
      target: ref.host,
      at: now,
    })
  })
}

const domainNotFound = (): ApiError =>
  new ApiError(
    'domainNotFound',
    'This tenant has no domain with this host. List them: GET /api/domains.',
  )

/** The domain that a path names. Text that is no host reaches no query. */
function domainRef({ baseUrl }: Pick<Context, 'baseUrl'>, tenant: Tenant, text: string): DomainRef {
  const read = readDomainHost(text, baseUrl)
  if (!read.ok) {
    throw domainNotFound()
  }
  return { tenantId: tenant.id, host: read.host }
}

async function requireDomain(
  { domains }: Pick<TransactionStores, 'domains'>,
  ref: DomainRef,
): Promise<Domain> {
  const domain = await domains.find(ref)
  if (domain === null) {
    throw domainNotFound()
  }
  return domain
}
