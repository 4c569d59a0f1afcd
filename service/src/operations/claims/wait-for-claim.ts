import { ApiError } from '../../domain/api-error.ts'
import type { TenantId } from '../../domain/ids.ts'
import { type Claim, claimStatusAt, waitExpiry } from '../../domain/tenants/claim.ts'
import type { Context } from '../context.ts'

export interface ClaimUpdate {
  readonly tenantId: TenantId
  /** A superseded link can no longer be approved: for whoever waits on it, it has expired. */
  readonly status: 'pending' | 'approved' | 'denied' | 'expired'
  readonly superseded: boolean
}

/** Has the human decided? Waits in memory, without a database connection, until they have or the time is up. */
export async function waitForClaim(
  ctx: Context,
  input: { readonly waitToken: string; readonly seconds: number; readonly signal?: AbortSignal },
): Promise<ClaimUpdate> {
  const hashes = input.waitToken.startsWith('svc_wt_') ? ctx.keyring.hashes('wait', input.waitToken) : []
  const look = async (): Promise<Claim> => {
    const claim = hashes.length === 0 ? null : await ctx.stores.claims.findByWaitToken(hashes)
    if (claim === null || ctx.now() >= waitExpiry(claim)) throw waitOver()
    return claim
  }
  const first = await look()
  using listener = ctx.signals.listen(first.tenantId)
  const deadline = performance.now() + input.seconds * 1_000
  for (;;) {
    const claim = await ctx.signals.poll(look)
    const news = newsOf(claim, ctx.now())
    const left = deadline - performance.now()
    if (news.status !== 'pending' || left <= 0 || input.signal?.aborted) return news
    // Wakes at the link's own end too, so that its expiry is heard at once.
    await listener.wait(Math.min(left, claim.expiresAt - ctx.now()), input.signal)
    // At shutdown nobody looks again: hundreds would at once, and what they miss they are told when they ask next.
    if (ctx.signals.closed) return news
  }
}

function newsOf(claim: Claim, now: number): ClaimUpdate {
  const standing = claimStatusAt(claim, now)
  const superseded = standing === 'superseded'
  return { tenantId: claim.tenantId, status: superseded ? 'expired' : standing, superseded }
}

const waitOver = (): ApiError =>
  new ApiError(
    'invalidCredentials',
    'This wait token is unknown or its time has passed. Ask for a new link: POST /api/claim/url.',
  )
