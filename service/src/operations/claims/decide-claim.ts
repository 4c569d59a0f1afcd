import type { Account } from '../../domain/accounts/account.ts'
import type { TenantId } from '../../domain/ids.ts'
import { scopeOf } from '../../domain/limits/allowance.ts'
import type { Counter } from '../../domain/limits/counter.ts'
import type { TransactionStores } from '../../domain/stores/stores.ts'
import { type ClaimStatus, claimStatusAt } from '../../domain/tenants/claim.ts'
import { statusAt, type Tenant } from '../../domain/tenants/tenant.ts'
import { countProject } from '../accounts/count-project.ts'
import type { Context } from '../context.ts'
import { type KeyReplacement, type ReplacedKeys, replaceKeysIn } from '../tenants/replace-keys.ts'
import { withAdvice } from '../unknown-outcome.ts'
import { findClaim } from './read-claim.ts'

export type ClaimOutcome = 'approved' | 'denied' | 'already' | Exclude<ClaimStatus, 'pending' | 'approved' | 'denied'>

export interface ClaimDecision {
  readonly outcome: ClaimOutcome
  /** The new keys, if the owner chose to replace them. */
  readonly replaced: ReplacedKeys | null
}

/** The tenant was claimed or expired meanwhile; thrown to roll back the decision. */
class TenantUnavailable extends Error {}

/**
 * Decides a claim once. The first approval wins: the claim and the tenant change in one transaction, each by one
 * conditional statement, so a concurrent approval or the expiry cannot interleave. The keys are replaced in the same
 * transaction: an owner who approved with "replace now" never owns a project whose old keys still work.
 */
export async function decideClaim(
  ctx: Context,
  input: {
    readonly token: string
    readonly account: Account
    readonly approve: boolean
    readonly keys: 'keep' | KeyReplacement
  },
): Promise<ClaimDecision> {
  const now = ctx.now()
  const claim = await findClaim(ctx, input.token)
  const decision = input.approve ? 'approved' : 'denied'
  try {
    const deciding = ctx.stores.confirmedTransaction(async (stores): Promise<ClaimDecision | null> => {
      if (!(await stores.claims.decide(claim.id, decision, input.account.id, now))) return null
      if (!input.approve) return { outcome: decision, replaced: null }
      const tenant = await transferTenant(stores, claim.tenantId, input.account, now)
      const replaced = input.keys === 'keep' ? null : await replaceKeysIn(ctx, stores, tenant, input.keys)
      return { outcome: decision, replaced }
    })
    const decided = await withAdvice('Open the claim link again to see whether your decision was saved.', deciding)
    if (decided !== null) {
      ctx.directory.invalidate(claim.tenantId)
      return decided
    }
  } catch (error) {
    if (!(error instanceof TenantUnavailable)) throw error
  }
  return { outcome: await readRejection(ctx, input.token), replaced: null }
}

async function transferTenant(
  stores: TransactionStores,
  tenantId: TenantId,
  account: Account,
  now: number,
): Promise<Tenant> {
  const claimed = await stores.ownership.claim(tenantId, account.id, now)
  const tenant = claimed ? await stores.tenants.find(tenantId) : null
  if (tenant === null) throw new TenantUnavailable()
  await countProject(stores, account)
  await moveStoredUsers(stores, tenant)
  return tenant
}

/** Stored users of the guest now count for its owner. A claim succeeds even over the owner's limit; only new users fail. */
async function moveStoredUsers(stores: TransactionStores, tenant: Tenant): Promise<void> {
  const guestCounter: Counter = { scope: `tenant:${tenant.id}`, window: 'users', start: 0 }
  const [users = 0] = await stores.counters.read([guestCounter])
  if (users === 0) return
  await stores.counters.release(guestCounter, users)
  await stores.counters.spend({ scope: scopeOf(tenant), window: 'users', start: 0 }, users, null)
}

/** Why the decision changed nothing. */
async function readRejection(ctx: Context, token: string): Promise<ClaimOutcome> {
  const claim = await findClaim(ctx, token)
  const tenant = await ctx.stores.tenants.find(claim.tenantId)
  if (tenant === null || statusAt(tenant, ctx.now()) === 'expired') return 'expired'
  if (tenant.claimedAt !== null) return 'already'
  const status = claimStatusAt(claim, ctx.now())
  return status === 'pending' || status === 'approved' ? 'already' : status
}
