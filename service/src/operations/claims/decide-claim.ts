import type { Account } from '../../domain/accounts/account.ts'
import type { TenantId } from '../../domain/ids.ts'
import { scopeOf } from '../../domain/limits/allowance.ts'
import type { Counter } from '../../domain/limits/counter.ts'
import type { TransactionStores } from '../../domain/stores/stores.ts'
import { type ClaimStatus, claimStatusAt } from '../../domain/tenants/claim.ts'
import { statusAt, type Tenant } from '../../domain/tenants/tenant.ts'
import { tenantSuspended } from '../../domain/tenants/tenant-access.ts'
import { countProject } from '../accounts/count-project.ts'
import { recordAction } from '../audit/record-action.ts'
import type { Context } from '../context.ts'
import { issueKeys } from '../tenants/key-replacement.ts'
import { withAdvice } from '../unknown-outcome.ts'
import { type DecideClaim, isRepeatOf, secretsOf } from './claim-decision.ts'
import { findClaim } from './read-claim.ts'

export type ClaimOutcome = 'approved' | 'denied' | 'already' | Exclude<ClaimStatus, 'pending' | 'approved' | 'denied'>

/** The tenant was claimed or expired meanwhile; thrown to roll back the decision. */
class TenantUnavailable extends Error {}

/**
 * Decides a claim once. The first approval wins: the claim and the tenant change in one transaction, each by one
 * conditional statement, so a concurrent approval or the expiry cannot interleave. The keys are replaced in the same
 * transaction: an owner who approved with "replace now" never owns a project whose old keys still work. The same decision
 * again has the same outcome and changes nothing.
 */
export async function decideClaim(ctx: Context, input: DecideClaim): Promise<ClaimOutcome> {
  const now = ctx.now()
  const claim = await findClaim(ctx, input.token)
  const secrets = secretsOf(claim, input)
  const decision = input.approve ? 'approved' : 'denied'
  try {
    const deciding = ctx.stores.confirmedTransaction(async (stores) => {
      const hash = ctx.keyring.hash('decision', secrets[0] ?? '')
      if (!(await stores.claims.decide(claim.id, decision, input.account.id, now, hash))) {
        return isRepeatOf(ctx, await findClaim({ ...ctx, stores }, input.token), secrets)
      }
      if (!input.approve) return true
      const tenant = await transferTenant(stores, claim.tenantId, input.account, now)
      const { keys: replacement, author } = input
      await recordAction(stores, { tenantId: tenant.id, author, action: 'tenant.claimed', at: now })
      if (replacement === 'keep') return true
      await issueKeys(ctx, stores, { tenant, replacement, secrets, at: now })
      await recordAction(stores, { tenantId: tenant.id, author, action: 'tenant.keys_replaced', at: now })
      return true
    })
    const decided = await withAdvice('Open the claim link again to see whether your decision was saved.', deciding)
    if (decided) {
      ctx.directory.invalidate(claim.tenantId)
      return decision
    }
  } catch (error) {
    if (!(error instanceof TenantUnavailable)) throw error
  }
  return readRejection(ctx, input.token)
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
  // Rolls back: a claim lifts a pause, but an owner is no reason to lift a suspension.
  if (tenant.suspension !== null) throw tenantSuspended()
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
