import type { VerifiedUser } from '@gatehouse/contract'
import type { TenantId } from '../../domain/ids.ts'
import { tenantExpired } from '../../domain/tenants/tenant-access.ts'
import { isWithinValidity } from '../../domain/tokens/access-token.ts'
import type { ReadToken } from '../../domain/tokens/access-token-reader.ts'
import { Unavailable } from '../../domain/unavailable.ts'
import type { Context } from '../context.ts'

export type Verification =
  | { readonly outcome: 'valid'; readonly user: VerifiedUser; readonly token: ReadToken }
  /** Ours, but out of date or revoked. */
  | { readonly outcome: 'invalid' }
  /** Ours, of a tenant that is paused. Why it is, only the database knows. */
  | { readonly outcome: 'paused' }
  /** Nothing we issued for this tenant as it is now. Whether the tenant exists at all is another question. */
  | { readonly outcome: 'unrecognized' }

const INVALID: Verification = { outcome: 'invalid' }
const PAUSED: Verification = { outcome: 'paused' }
const UNRECOGNIZED: Verification = { outcome: 'unrecognized' }

/**
 * Stateless: the context it asks for has no stores in it, so no database can slow it down or stop it (spec, Login
 * flow 5). A token of a paused or ended tenant is not called invalid, so that apps keep their sessions.
 */
export function verifyAccessToken(
  ctx: Pick<Context, 'accessTokens' | 'revocations' | 'isRevocationFeedStale' | 'now'>,
  { tenantId, accessToken }: { tenantId: TenantId; accessToken: string },
): Verification {
  // What was revoked elsewhere may look valid here. To call it invalid would be no better: every app would refresh, and
  // spend a good token on an instance that cannot take it (decision 37).
  if (ctx.isRevocationFeedStale()) throw new Unavailable('no revocations were heard of for too long', { logged: true })
  const token = ctx.accessTokens.read(tenantId, accessToken)
  if (token === null) return UNRECOGNIZED
  const now = ctx.now()
  const { claims } = token
  if (ctx.revocations.isDeleted(claims.rid)) return UNRECOGNIZED
  if (claims.tenant_ends !== undefined && now >= claims.tenant_ends && !ctx.revocations.isRecentlyClaimed(tenantId)) {
    throw tenantExpired()
  }
  if (ctx.revocations.isPaused(tenantId)) return PAUSED
  if (!isWithinValidity(claims, now) || ctx.revocations.isRevoked(claims.sid, claims.gen)) return INVALID
  return { outcome: 'valid', user: token.user, token }
}
