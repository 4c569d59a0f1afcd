import { CLAIM_LINKS_PER_HOUR, SECRET_PREFIXES } from '@gatehouse-auth/contract'
import { ApiError } from '../../domain/api-error.ts'
import {
  type Claim,
  claimExpiry,
  claimStatusAt,
  mintConfirmationCode,
  type NewClaim,
  waitExpiry,
} from '../../domain/claims/claim.ts'
import type { TenantId } from '../../domain/ids.ts'
import type { Rate } from '../../domain/limits/rate.ts'
import type { Author } from '../../domain/tenants/audit.ts'
import { requireTenantAccess, type Tenant } from '../../domain/tenants/tenant.ts'
import { mintSecret } from '../../domain/tokens/secret.ts'
import type { Context } from '../context.ts'
import { type HourlyLimit, limitByTenant } from '../limits/limit-requests.ts'
import { waitShares } from '../limits/wait-shares.ts'
import { recordAction } from '../tenants/audit.ts'
import { withAdvice } from '../unknown-outcome.ts'

const CLAIM_LIMIT: HourlyLimit = {
  scope: 'claim-links',
  perHour: CLAIM_LINKS_PER_HOUR,
  action: 'request claim links',
}

interface ClaimOffer {
  readonly claim: Claim
  /** For the link. Stored only as a hash. */
  readonly token: string
  readonly waitToken: string
  readonly waitUntil: number
  /** What the tenant may still request in this hour. */
  readonly rate: Rate
}

/** Creates a claim link and a token to wait for the decision. A new link supersedes the previous one. */
export async function requestClaim(
  ctx: Context,
  tenant: Tenant,
  author: Author,
): Promise<ClaimOffer> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'claim', now)
  if (tenant.claimedAt !== null) {
    throw alreadyClaimed()
  }

  const token = mintSecret('', ctx.random)
  const waitToken = mintSecret(SECRET_PREFIXES.waitToken, ctx.random)
  const newClaim: NewClaim = {
    tenantId: tenant.id,
    confirmationCode: mintConfirmationCode(ctx.random),
    createdAt: now,
    expiresAt: claimExpiry(tenant.expiresAt, now),
  }
  const tokenHash = ctx.keyring.hash('claim', token)
  const waitHash = ctx.keyring.hash('wait', waitToken)

  const requesting = ctx.stores.confirmedTransaction(async (stores) => {
    const rate = await limitByTenant(stores, CLAIM_LIMIT, tenant, now)
    const claim = await stores.claims.open(newClaim, tokenHash, waitHash)
    await recordAction(stores, { tenantId: tenant.id, author, action: 'claim.requested', at: now })
    return { claim, token, waitToken, waitUntil: waitExpiry(claim), rate }
  })
  return withAdvice(
    'An older claim link may no longer work. Request a new one, which replaces it.',
    requesting,
  )
}

export const alreadyClaimed = (): ApiError =>
  new ApiError('alreadyClaimed', 'This tenant already has an owner. Nothing was changed.')

export interface ClaimUpdate {
  readonly tenantId: TenantId
  /** `expired` also for a superseded link, which can no longer be approved. */
  readonly status: 'pending' | 'approved' | 'denied' | 'expired'
  readonly superseded: boolean
}

interface WaitForClaim {
  readonly waitToken: string
  readonly addressKey: string
  readonly seconds: number
  readonly signal?: AbortSignal
}

/** Long poll for the decision. Waits in memory, without a database connection. */
export async function waitForClaim(ctx: Context, input: WaitForClaim): Promise<ClaimUpdate> {
  const { waitToken, addressKey, seconds, signal } = input
  const first = await findByWaitToken(ctx, waitToken)
  if (seconds === 0) {
    return claimUpdate(first, ctx.now())
  }

  const { tenantId } = first
  const tokenHash = ctx.keyring.hash('wait', waitToken)
  using listener = ctx.signals.listen(tenantId, waitShares({ tokenHash, tenantId, addressKey }))
  const deadline = performance.now() + seconds * 1_000
  for (;;) {
    const claim = await ctx.signals.poll(() => findByWaitToken(ctx, waitToken))
    const update = claimUpdate(claim, ctx.now())
    const left = deadline - performance.now()
    if (update.status !== 'pending' || left <= 0 || signal?.aborted) {
      return update
    }

    // Also wakes when the link expires, so that the expiry is reported without delay.
    await listener.wait(Math.min(left, claim.expiresAt - ctx.now()), signal)
    // At shutdown all long polls wake at once; they return without a query, and the client's next request catches up.
    if (ctx.signals.closed) {
      return update
    }
  }
}

async function findByWaitToken(
  { stores, keyring, now }: Context,
  waitToken: string,
): Promise<Claim> {
  // Other text reaches no query.
  if (!waitToken.startsWith(SECRET_PREFIXES.waitToken)) {
    throw invalidWaitToken()
  }
  const claim = await stores.claims.findByWaitToken(keyring.hashes('wait', waitToken))
  if (claim === null || now() >= waitExpiry(claim)) {
    throw invalidWaitToken()
  }
  return claim
}

function claimUpdate(claim: Claim, now: number): ClaimUpdate {
  const { tenantId } = claim
  const status = claimStatusAt(claim, now)
  if (status === 'superseded') {
    return { tenantId, status: 'expired', superseded: true }
  }
  return { tenantId, status, superseded: false }
}

const invalidWaitToken = (): ApiError =>
  new ApiError(
    'invalidCredentials',
    'This wait token is unknown or its time has passed. Ask for a new link: POST /api/claim/url.',
  )
