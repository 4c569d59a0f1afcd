import type { Author } from '../../domain/audit/action.ts'
import { type DomainRef, proofsOf, recheck } from '../../domain/brand/domain.ts'
import { recordAction } from '../audit/record-action.ts'
import type { Context } from '../context.ts'

/** At once, so that hosts that never answer delay a sweep by one timeout. */
const DOMAINS_PER_SWEEP = 10
/** Far longer than a check. After it, another process checks the domain of one that was killed. */
const LEASE_MS = 5 * 60_000

const SWEEP: Author = { actor: 'operator', requestId: 'sweep' }

type RecheckContext = Pick<Context, 'stores' | 'now' | 'probeDomain'>

/** Checks verified domains every week. For the sweep: no transaction is open while a host is asked. */
export async function recheckDomains(ctx: RecheckContext): Promise<void> {
  const due = await ctx.stores.domains.listDue(ctx.now(), DOMAINS_PER_SWEEP)
  await Promise.all(due.map((ref) => recheckDomain(ctx, ref)))
}

async function recheckDomain({ stores, now, probeDomain }: RecheckContext, ref: DomainRef): Promise<void> {
  const lease = now() + LEASE_MS
  const domain = await stores.domains.lease(ref, now(), lease)
  if (domain === null) return
  const result = recheck(domain, await probeDomain(proofsOf(domain)), now())
  await stores.transaction(async (open) => {
    // false: the owner checked, deleted or added it meanwhile, and that is newer.
    if (!(await open.domains.saveRecheck(domain, lease, result)) || result.status === 'verified') return
    const { tenantId, host } = domain
    await recordAction(open, { tenantId, author: SWEEP, action: 'domain.lapsed', target: host, at: result.checkedAt })
  })
}
