import type { Account } from '../../domain/accounts/account.ts'
import type { TenantId } from '../../domain/ids.ts'
import { scopeOf } from '../../domain/limits/allowance.ts'
import type { Counter } from '../../domain/limits/counter.ts'
import type { TransactionStores } from '../../domain/stores/stores.ts'
import { type ClaimStatus, claimStatusAt } from '../../domain/tenants/claim.ts'
import { statusAt, type Tenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'
import { findClaim } from './read-claim.ts'

export type ClaimOutcome = 'approved' | 'denied' | 'already' | Exclude<ClaimStatus, 'pending' | 'approved' | 'denied'>

/** A decision that came too late for this tenant, thrown to undo the claim's own half. */
class TooLate extends Error {}

/**
 * The human decides, once. The first approval wins: the claim and the tenant change in one transaction, each by one
 * conditional statement, so neither a second human nor the clock can slip between.
 */
export async function decideClaim(
  ctx: Context,
  input: { readonly token: string; readonly account: Account; readonly approve: boolean },
): Promise<ClaimOutcome> {
  const now = ctx.now()
  const claim = await findClaim(ctx, input.token)
  const decision = input.approve ? 'approved' : 'denied'
  try {
    const decided = await ctx.stores.transaction(async (stores) => {
      if (!(await stores.claims.decide(claim.id, decision, input.account.id, now))) return false
      if (input.approve) await takeOver(stores, claim.tenantId, input.account, now)
      return true
    })
    if (decided) {
      ctx.directory.forget(claim.tenantId)
      return decision
    }
  } catch (error) {
    if (!(error instanceof TooLate)) throw error
  }
  return whyNot(ctx, input.token)
}

async function takeOver(stores: TransactionStores, tenantId: TenantId, account: Account, now: number): Promise<void> {
  const tenant = await stores.tenants.find(tenantId)
  if (tenant === null || !(await stores.ownership.claim(tenantId, account.id, now))) throw new TooLate()
  await moveStoredUsers(stores, tenant, account)
}

/** The people a guest stored now count for its owner. A claim is never refused for that: only newcomers would be. */
async function moveStoredUsers(stores: TransactionStores, tenant: Tenant, account: Account): Promise<void> {
  const held: Counter = { scope: `tenant:${tenant.id}`, window: 'users', start: 0 }
  const [people = 0] = await stores.counters.read([held])
  if (people === 0) return
  const owned = { ...tenant, owner: { accountId: account.id, tier: account.tier } }
  await stores.counters.release(held, people)
  await stores.counters.spend({ scope: scopeOf(owned), window: 'users', start: 0 }, people, null)
}

/** Nothing was changed; which of the reasons was it? */
async function whyNot(ctx: Context, token: string): Promise<ClaimOutcome> {
  const claim = await findClaim(ctx, token)
  const tenant = await ctx.stores.tenants.find(claim.tenantId)
  if (tenant === null || statusAt(tenant, ctx.now()) === 'expired') return 'expired'
  if (tenant.claimedAt !== null) return 'already'
  const standing = claimStatusAt(claim, ctx.now())
  return standing === 'pending' || standing === 'approved' ? 'already' : standing
}
