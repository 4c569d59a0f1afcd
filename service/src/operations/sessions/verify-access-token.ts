import type { VerifiedUser } from '@gatehouse-auth/contract'
import { Unavailable } from '../../domain/api-error.ts'
import type { TenantId } from '../../domain/ids.ts'
import { tenantExpired, tenantPaused, tenantSuspended } from '../../domain/tenants/tenant.ts'
import { isWithinValidity } from '../../domain/tokens/access-token.ts'
import type { ReadToken } from '../../domain/tokens/access-token-reader.ts'
import type { Context } from '../context.ts'

type Verification =
  | { readonly outcome: 'valid'; readonly user: VerifiedUser; readonly token: ReadToken }
  /** Authentic, but expired or revoked. */
  | { readonly outcome: 'invalid' }
  /** Authentic, but the tenant is paused. The pause reason is only in the database. */
  | { readonly outcome: 'paused' }
  /** Authentic, but the operator suspended the tenant. */
  | { readonly outcome: 'suspended' }
  /** Not issued for this tenant, or for a resource that was deleted. The tenant itself may not exist. */
  | { readonly outcome: 'unrecognized' }

const INVALID: Verification = { outcome: 'invalid' }
const PAUSED: Verification = { outcome: 'paused' }
const SUSPENDED: Verification = { outcome: 'suspended' }
const UNRECOGNIZED: Verification = { outcome: 'unrecognized' }

/**
 * Stateless: its context has no stores, so it cannot query a database (spec, Login flow 5). A token of a paused, suspended
 * or ended tenant is not reported as invalid, so that apps keep their sessions.
 */
export function verifyAccessToken(
  ctx: Pick<Context, 'accessTokens' | 'revocations' | 'isRevocationFeedStale' | 'now'>,
  { tenantId, accessToken }: { tenantId: TenantId; accessToken: string },
): Verification {
  // A token revoked on another instance may seem valid here. Reporting it as invalid would be worse: every app would try
  // to refresh valid sessions on an instance that cannot reach the database (decision 10).
  if (ctx.isRevocationFeedStale()) {
    throw new Unavailable('the revocation feed is stale', { logged: true })
  }
  const token = ctx.accessTokens.read(tenantId, accessToken)
  if (token === null) {
    return UNRECOGNIZED
  }
  const now = ctx.now()
  const { claims } = token
  if (ctx.revocations.isDeleted(claims.rid)) {
    return UNRECOGNIZED
  }
  if (
    claims.tenant_ends !== undefined &&
    now >= claims.tenant_ends &&
    !ctx.revocations.isRecentlyClaimed(tenantId)
  ) {
    throw tenantExpired()
  }
  if (ctx.revocations.isSuspended(tenantId)) {
    return SUSPENDED
  }
  if (ctx.revocations.isPaused(tenantId)) {
    return PAUSED
  }
  if (!isWithinValidity(claims, now) || ctx.revocations.isRevoked(claims.sid, claims.gen)) {
    return INVALID
  }
  return { outcome: 'valid', user: token.user, token }
}

/** A token of a paused or suspended tenant is not invalid; the directory may not have noticed either of them yet. */
export function requireRunning({ outcome }: Verification): void {
  if (outcome === 'paused') {
    throw tenantPaused(null)
  }
  if (outcome === 'suspended') {
    throw tenantSuspended()
  }
}
