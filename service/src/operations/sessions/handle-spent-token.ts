import { ApiError } from '../../domain/api-error.ts'
import { classifySpentToken } from '../../domain/sessions/replay.ts'
import type { Session } from '../../domain/sessions/session.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { RefreshTokenFields } from '../../domain/tokens/refresh-token.ts'
import type { Context } from '../context.ts'
import { requireResource } from '../tenants/require-tenant.ts'
import { applyRevocation } from './apply-revocation.ts'
import { endSession } from './end-session.ts'
import { createTokenPair, type TokenPair } from './token-pair.ts'

/** The properties of a refresh request that distinguish a retry from a theft. */
export interface RefreshCaller {
  /** The user agent: two tabs of one app have the same. */
  readonly client: string
  readonly idempotencyKey: string | null
}

/** Handles an authentic refresh token of an older generation: a retry, a lost race, or a theft. */
export async function handleSpentToken(
  ctx: Context,
  tenant: Tenant,
  token: RefreshTokenFields,
  caller: RefreshCaller,
): Promise<TokenPair> {
  const now = ctx.now()
  const { stores } = ctx
  const resource = await requireResource(stores, tenant)
  const session = await stores.sessions.find(resource, token.sessionId)
  if (session === null || !isActive(session, token, now)) throw invalidRefreshToken()

  const classification = classifySpentToken(
    session,
    {
      generation: token.generation,
      clientHashes: ctx.keyring.hashes('client', caller.client),
      idempotencyHashes: caller.idempotencyKey === null ? [] : ctx.keyring.hashes('idempotency', caller.idempotencyKey),
    },
    now,
  )
  switch (classification) {
    case 'repeat': {
      const user = await stores.users.find(resource, session.userId)
      if (user === null) throw invalidRefreshToken()
      applyRevocation(ctx, tenant, session.id, session.generation)
      return createTokenPair(ctx, { tenant, resource, user }, session)
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
