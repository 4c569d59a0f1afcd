import type { Account } from '../../domain/accounts/account.ts'
import { ApiError } from '../../domain/api-error.ts'
import { callbackHostsOf } from '../../domain/callbacks/url.ts'
import { type Claim, type ClaimStatus, claimStatusAt } from '../../domain/claims/claim.ts'
import type { TenantId } from '../../domain/ids.ts'
import { scopeOf } from '../../domain/limits/allowance.ts'
import type { Counter } from '../../domain/limits/counter.ts'
import { isRepeatable } from '../../domain/repeated-decision.ts'
import type { TransactionStores } from '../../domain/stores/stores.ts'
import type { Author } from '../../domain/tenants/audit.ts'
import { type Tenant, tenantSuspended } from '../../domain/tenants/tenant.ts'
import { is256Bits } from '../../domain/tokens/secret.ts'
import type { DecisionSecrets } from '../accounts/account-session.ts'
import { countProject } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { recordAction } from '../tenants/audit.ts'
import {
  findIssuedKeys,
  issueKeys,
  KEY_REPLACEMENTS,
  type KeyReplacement,
  type ReplacedKeys,
} from '../tenants/keys.ts'
import { withAdvice } from '../unknown-outcome.ts'

export interface ClaimDetails {
  readonly claim: Claim
  readonly status: ClaimStatus
  readonly tenant: Tenant
  readonly callbackHosts: readonly string[]
  readonly users: number
  readonly signIns: number
}

/** What the claim page shows: the claim, its status, and the tenant. Read-only. */
export async function readClaim(ctx: Context, token: string): Promise<ClaimDetails> {
  const claim = await findClaim(ctx, token)
  const tenant = await ctx.stores.tenants.find(claim.tenantId)
  if (tenant === null) {
    throw claimUnknown()
  }
  const { stores } = ctx
  const resource = await stores.resources.findActive(tenant.id)
  const daily = resource === null ? [] : await stores.events.daily(resource, '')
  return {
    claim,
    status: claimStatusAt(claim, ctx.now()),
    tenant,
    callbackHosts: callbackHostsOf(resource?.callbackUrls ?? []),
    users: resource === null ? 0 : await stores.users.count(resource),
    signIns: daily
      .filter(({ event }) => event === 'authorize')
      .reduce((sum, { count }) => sum + count, 0),
  }
}

/** The claim of a link, or of the cookie that replaces it. */
export async function findClaim(
  ctx: Pick<Context, 'keyring'> & { readonly stores: Pick<TransactionStores, 'claims'> },
  token: string,
): Promise<Claim> {
  const claim = is256Bits(token)
    ? await ctx.stores.claims.findByToken(ctx.keyring.hashes('claim', token))
    : null
  if (claim === null) {
    throw claimUnknown()
  }
  return claim
}

export const claimUnknown = (): ApiError =>
  new ApiError(
    'claimUnknown',
    'This claim link is not one of ours, or its project is gone. Ask the agent for a new link.',
  )

/** A press of Approve or Deny on the claim page. */
interface DecideClaim {
  /** As the page showed it. */
  readonly claim: Claim
  readonly account: Account
  readonly approve: boolean
  readonly keys: 'keep' | KeyReplacement
  readonly secrets: DecisionSecrets
  readonly author: Author
}

/** The tenant was claimed or expired meanwhile, or the claim was decided; thrown to roll back. */
class TenantUnavailable extends Error {}

/**
 * Decides a claim once. The first approval wins: the claim and the tenant change in one transaction, each by one
 * conditional statement, so a concurrent approval or the expiry cannot interleave. The keys are replaced in the same
 * transaction: an owner who approved with "replace now" never owns a project whose old keys still work. A later decision
 * changes nothing; the claim page says what was decided.
 */
export async function decideClaim(ctx: Context, input: DecideClaim): Promise<void> {
  const now = ctx.now()
  const { claim } = input
  const secrets = secretsOf(claim, input)
  const decision = input.approve ? 'approved' : 'denied'
  try {
    const deciding = ctx.stores.confirmedTransaction(async (stores) => {
      const hash = ctx.keyring.hash('decision', secrets[0] ?? '')
      const tenant = input.approve
        ? await claimTenant(stores, claim.tenantId, input.account, now)
        : null
      const isFirst = await stores.claims.decide(claim.id, decision, input.account.id, now, hash)
      if (!isFirst) {
        throw new TenantUnavailable()
      }
      if (tenant === null) {
        return
      }
      await countProject(stores, input.account)
      await moveStoredUsers(stores, tenant)
      const { keys: replacement, author } = input
      await recordAction(stores, { tenantId: tenant.id, author, action: 'tenant.claimed', at: now })
      if (replacement === 'keep') {
        return
      }
      await issueKeys(ctx, stores, { tenant, replacement, secrets, at: now })
      await recordAction(stores, {
        tenantId: tenant.id,
        author,
        action: 'tenant.keys_replaced',
        at: now,
      })
    })
    await withAdvice('Open the claim link again to see whether your decision was saved.', deciding)
  } catch (error) {
    if (!(error instanceof TenantUnavailable)) {
      throw error
    }
  }
  ctx.directory.invalidate(claim.tenantId)
}

async function claimTenant(
  stores: TransactionStores,
  tenantId: TenantId,
  account: Account,
  now: number,
): Promise<Tenant> {
  const claimed = await stores.ownership.claim(tenantId, account.id, now)
  const tenant = claimed ? await stores.tenants.find(tenantId) : null
  if (tenant === null) {
    throw new TenantUnavailable()
  }
  // Rolls back: a claim lifts a pause, but an owner is no reason to lift a suspension.
  if (tenant.suspension !== null) {
    throw tenantSuspended()
  }
  return tenant
}

/** Stored users of the guest now count for its owner. A claim succeeds even over the owner's limit; only new users fail. */
async function moveStoredUsers(stores: TransactionStores, tenant: Tenant): Promise<void> {
  const guestCounter: Counter = { scope: `tenant:${tenant.id}`, window: 'users', start: 0 }
  // Waits for a first sign-in, whose counter a deletion alone would not see.
  await stores.counters.spend(guestCounter, 0, null)
  const users = await stores.counters.remove(guestCounter)
  await stores.counters.spend({ scope: scopeOf(tenant), window: 'users', start: 0 }, users, null)
}

/** Only the same session, with the same decision and the same choice about the keys, derives the same secrets. */
const secretsOf = (
  { id }: Claim,
  { approve, keys, secrets }: Pick<DecideClaim, 'approve' | 'keys' | 'secrets'>,
): readonly string[] => secrets(approve ? `claim:${id}:approved:${keys}` : `claim:${id}:denied`)

const isDecisionOf = (
  { keyring }: Pick<Context, 'keyring'>,
  { decisionHash }: Claim,
  secrets: readonly string[],
): boolean =>
  decisionHash !== null &&
  secrets.some((secret) => keyring.hashes('decision', secret).includes(decisionHash))

/** Whether these are the secrets of the decision, made less than a minute ago (decision 43). */
const isRepeatOf = (
  ctx: Pick<Context, 'keyring' | 'now'>,
  claim: Claim,
  secrets: readonly string[],
): boolean =>
  claim.decidedAt !== null &&
  isRepeatable(claim.decidedAt, ctx.now()) &&
  isDecisionOf(ctx, claim, secrets)

interface ApprovedClaim {
  /** The keys that this account session got with its approval less than a minute ago. */
  readonly newKeys: ReplacedKeys | null
  /** This session chose to keep the keys. */
  readonly keptKeys: boolean
  readonly keyGeneration: number
}

/** What the account that approved a claim may see of the result. */
export async function readApprovedClaim(
  ctx: Context,
  { claim, tenant }: Pick<ClaimDetails, 'claim' | 'tenant'>,
  secrets: DecisionSecrets,
): Promise<ApprovedClaim> {
  const decided = (keys: DecideClaim['keys']) => secretsOf(claim, { approve: true, keys, secrets })
  const replacement = KEY_REPLACEMENTS.find((each) => isRepeatOf(ctx, claim, decided(each)))
  const at = claim.decidedAt
  return {
    newKeys:
      replacement === undefined || at === null
        ? null
        : await findIssuedKeys(ctx, ctx.stores, {
            tenant,
            replacement,
            secrets: decided(replacement),
            at,
          }),
    keptKeys: isDecisionOf(ctx, claim, decided('keep')),
    keyGeneration: (await ctx.stores.ownership.keyGeneration(tenant.id)).generation,
  }
}
