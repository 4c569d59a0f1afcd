import type { Account } from '../../domain/accounts/account.ts'
import { ApiError } from '../../domain/api-error.ts'
import { callbackHostsOf } from '../../domain/callbacks/url.ts'
import { type Claim, type ClaimStatus, claimStatusAt } from '../../domain/claims/claim.ts'
import type { TenantId } from '../../domain/ids.ts'
import { scopeOf } from '../../domain/limits/allowance.ts'
import type { Counter } from '../../domain/limits/counter.ts'
import { isRepeatable } from '../../domain/repeated-decision.ts'
import type { Resource, TransactionStores } from '../../domain/stores/stores.ts'
import type { Author } from '../../domain/tenants/audit.ts'
import { type Tenant, tenantSuspended } from '../../domain/tenants/tenant.ts'
import type { Instant } from '../../domain/time.ts'
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
  return {
    claim,
    status: claimStatusAt(claim, ctx.now()),
    tenant,
    callbackHosts: callbackHostsOf(resource?.callbackUrls ?? []),
    users: resource === null ? 0 : await stores.users.count(resource),
    signIns: resource === null ? 0 : await countSignIns(stores, resource),
  }
}

async function countSignIns(
  { events }: Pick<TransactionStores, 'events'>,
  resource: Resource,
): Promise<number> {
  let signIns = 0
  for (const { event, count } of await events.daily(resource, '')) {
    if (event === 'authorize') {
      signIns += count
    }
  }
  return signIns
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
  const at = ctx.now()
  const deciding = ctx.stores.confirmedTransaction((stores) => decide(ctx, stores, input, at))
  try {
    await withAdvice('Open the claim link again to see whether your decision was saved.', deciding)
  } catch (error) {
    if (!(error instanceof TenantUnavailable)) {
      throw error
    }
  }
  ctx.directory.invalidate(input.claim.tenantId)
}

async function decide(
  ctx: Context,
  stores: TransactionStores,
  input: DecideClaim,
  at: Instant,
): Promise<void> {
  const { claim, account, approve, author } = input
  const secrets = secretsOf(claim, input)
  const [secret = ''] = secrets

  const tenant = approve ? await claimTenant(stores, claim.tenantId, account, at) : null
  const isFirst = await stores.claims.decide(
    claim.id,
    approve ? 'approved' : 'denied',
    account.id,
    at,
    ctx.keyring.hash('decision', secret),
  )
  if (!isFirst) {
    throw new TenantUnavailable()
  }
  if (tenant === null) {
    return
  }

  await countProject(stores, account)
  await moveStoredUsers(stores, tenant)
  await recordAction(stores, { tenantId: tenant.id, author, action: 'tenant.claimed', at })

  if (input.keys !== 'keep') {
    await issueKeys(ctx, stores, { tenant, replacement: input.keys, secrets, at })
    await recordAction(stores, { tenantId: tenant.id, author, action: 'tenant.keys_replaced', at })
  }
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
function secretsOf(
  { id }: Claim,
  { approve, keys, secrets }: Pick<DecideClaim, 'approve' | 'keys' | 'secrets'>,
): readonly string[] {
  return secrets(approve ? `claim:${id}:approved:${keys}` : `claim:${id}:denied`)
}

function isDecisionOf(
  { keyring }: Pick<Context, 'keyring'>,
  { decisionHash }: Claim,
  secrets: readonly string[],
): boolean {
  if (decisionHash === null) {
    return false
  }
  return secrets.some((secret) => keyring.hashes('decision', secret).includes(decisionHash))
}

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
  const kept = secretsOf(claim, { approve: true, keys: 'keep', secrets })
  const { generation } = await ctx.stores.ownership.keyGeneration(tenant.id)
  return {
    newKeys: await findNewKeys(ctx, claim, tenant, secrets),
    keptKeys: isDecisionOf(ctx, claim, kept),
    keyGeneration: generation,
  }
}

/** The keys that this session got less than a minute ago (decision 43); null: none. */
async function findNewKeys(
  ctx: Context,
  claim: Claim,
  tenant: Tenant,
  secrets: DecisionSecrets,
): Promise<ReplacedKeys | null> {
  const at = claim.decidedAt
  if (at === null || !isRepeatable(at, ctx.now())) {
    return null
  }

  for (const replacement of KEY_REPLACEMENTS) {
    const decided = secretsOf(claim, { approve: true, keys: replacement, secrets })
    if (isDecisionOf(ctx, claim, decided)) {
      return findIssuedKeys(ctx, ctx.stores, { tenant, replacement, secrets: decided, at })
    }
  }
  return null
}
