import { SECRET_PREFIXES } from '@gatehouse/contract'
import { ApiError } from '../../domain/api-error.ts'
import type { TenantId } from '../../domain/ids.ts'
import { type Claim, claimStatusAt, waitExpiry } from '../../domain/tenants/claim.ts'
import type { Context } from '../context.ts'
import { waitShares } from '../wait-shares.ts'

export interface ClaimUpdate {
  readonly tenantId: TenantId
  /** `expired` also for a superseded link, which can no longer be approved. */
  readonly status: 'pending' | 'approved' | 'denied' | 'expired'
  readonly superseded: boolean
}

/** Long poll for the decision. Waits in memory, without a database connection. */
export async function waitForClaim(
  ctx: Context,
  input: {
    readonly waitToken: string
    readonly addressKey: string
    readonly seconds: number
    readonly signal?: AbortSignal
  },
): Promise<ClaimUpdate> {
  const hashes = input.waitToken.startsWith(SECRET_PREFIXES.waitToken)
    ? ctx.keyring.hashes('wait', input.waitToken)
    : []
  const findClaim = async (): Promise<Claim> => {
    const claim = hashes.length === 0 ? null : await ctx.stores.claims.findByWaitToken(hashes)
    if (claim === null || ctx.now() >= waitExpiry(claim)) throw invalidWaitToken()
    return claim
  }
  const first = await findClaim()
  if (input.seconds === 0) return claimUpdate(first, ctx.now())
  const { tenantId } = first
  const shares = waitShares({ tokenHash: hashes[0] ?? '', tenantId, addressKey: input.addressKey })
  using listener = ctx.signals.listen(tenantId, shares)
  const deadline = performance.now() + input.seconds * 1_000
  for (;;) {
    const claim = await ctx.signals.poll(findClaim)
    const update = claimUpdate(claim, ctx.now())
    const left = deadline - performance.now()
    if (update.status !== 'pending' || left <= 0 || input.signal?.aborted) return update
    // Also wakes when the link expires, so that the expiry is reported without delay.
    await listener.wait(Math.min(left, claim.expiresAt - ctx.now()), input.signal)
    // At shutdown all long polls wake at once; they return without a query, and the client's next request catches up.
    if (ctx.signals.closed) return update
  }
}

function claimUpdate(claim: Claim, now: number): ClaimUpdate {
  const status = claimStatusAt(claim, now)
  const superseded = status === 'superseded'
  return { tenantId: claim.tenantId, status: superseded ? 'expired' : status, superseded }
}

const invalidWaitToken = (): ApiError =>
  new ApiError(
    'invalidCredentials',
    'This wait token is unknown or its time has passed. Ask for a new link: POST /api/claim/url.',
  )
