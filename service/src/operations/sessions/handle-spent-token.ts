import { ApiError } from '../../domain/api-error.ts'
import { classifySpentToken } from '../../domain/sessions/replay.ts'
import type { Session } from '../../domain/sessions/session.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { RefreshTokenFields } from '../../domain/tokens/refresh-token.ts'
import { Unavailable } from '../../domain/unavailable.ts'
import type { Context } from '../context.ts'
import { requireResource } from '../tenants/require-tenant.ts'
import { applyRevocation } from './apply-revocation.ts'
import { endSession } from './end-session.ts'
import { createTokenPair, type TokenPair } from './token-pair.ts'

/** Concurrent late repeats: one writes, the others read again and repeat its response. */
const MAX_RETRIES = 3

/** Handles an authentic refresh token of an older generation: a retry, a lost race, or a theft. */
export async function handleSpentToken(
  ctx: Context,
  tenant: Tenant,
  token: RefreshTokenFields,
  idempotencyKey: string | null,
): Promise<TokenPair> {
  for (let retry = 0; retry < MAX_RETRIES; retry++) {
    const pair = await tryHandle(ctx, tenant, token, idempotencyKey)
    if (pair !== null) return pair
  }
  throw new Unavailable('the session keeps changing')
}

/** null: the session was changed meanwhile. */
async function tryHandle(
  ctx: Context,
  tenant: Tenant,
  token: RefreshTokenFields,
  idempotencyKey: string | null,
): Promise<TokenPair | null> {
  const now = ctx.now()
  const { stores } = ctx
  const resource = await requireResource(stores, tenant)
  const session = await stores.sessions.find(resource, token.sessionId)
  if (session === null || !isActive(session, token, now)) throw invalidRefreshToken()

  const issueAgain = async (rotatedAt: number): Promise<TokenPair> => {
    const user = await stores.users.find(resource, session.userId)
    if (user === null) throw invalidRefreshToken()
    applyRevocation(ctx, tenant, session.id, session.generation)
    return createTokenPair(ctx, { tenant, resource, user }, { ...session, rotatedAt })
  }
  const presented = {
    generation: token.generation,
    idempotencyKey,
    idempotencyHashes: idempotencyKey === null ? [] : ctx.keyring.hashes('idempotency', idempotencyKey),
  }
  const spent = classifySpentToken(session, presented, resource.refreshLeewaySeconds, now)
  switch (spent.kind) {
    case 'repeat':
      return issueAgain(session.rotatedAt)
    case 'late': {
      // Moves `rotatedAt`, by which revocations last: the access token issued now is revoked with the others.
      if (!(await stores.sessions.reissue(resource, session, spent.until, now))) return null
      ctx.counts.lateRepeats++
      return issueAgain(now)
    }
    case 'superseded':
      throw new ApiError(
        'refreshTokenSuperseded',
        'Another request refreshed this session a moment ago. Use the pair that it stored; the session is alive.',
      )
    case 'reused':
      await endSession(ctx, tenant, session.id, 'refresh_reuse')
      throw new ApiError(
        'refreshTokenReused',
        'This refresh token was already used, so its session has been ended to protect the person. They sign in again.',
      )
  }
}

/** The salt is stored only in the session's row: a token with another salt was never issued for this session. */
const isActive = (session: Session, token: RefreshTokenFields, now: number): boolean =>
  Buffer.compare(session.salt, token.salt) === 0 &&
  token.generation < session.generation &&
  now < session.expiresAt &&
  now < session.absoluteExpiresAt

export const invalidRefreshToken = (): ApiError =>
  new ApiError(
    'invalidRefreshToken',
    'This refresh token is unknown, expired or already ended. The person signs in again.',
  )
