import { ApiError, Unavailable } from '../../domain/api-error.ts'
import type { TenantId } from '../../domain/ids.ts'
import { chargesFor } from '../../domain/limits/allowance.ts'
import { OverLimit } from '../../domain/limits/over-limit.ts'
import { type Rate, rateOf } from '../../domain/limits/rate.ts'
import { classifySpentToken } from '../../domain/sessions/replay.ts'
import {
  REFRESH_TOKEN_MS,
  type RefreshOutcome,
  type Session,
} from '../../domain/sessions/session.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { type RefreshTokenFields, readRefreshToken } from '../../domain/tokens/refresh-token.ts'
import type { Context } from '../context.ts'
import { handleOverLimit } from '../limits/count-auth-event.ts'
import { notProvisioned, requireResource } from '../tenants/require-tenant.ts'
import { applyRevocation, endSession } from './end-session.ts'
import { createTokenPair, type TokenPair } from './open-session.ts'

interface RefreshSession {
  readonly tenantId: TenantId
  readonly refreshToken: string
  readonly idempotencyKey: string | null
}

interface Refreshed {
  readonly pair: TokenPair
  /** null for a repeated response. */
  readonly rate: Rate | null
}

const MAX_REFRESH_RETRIES = 3

/**
 * Exchanges a refresh token for a new pair. One compare-and-swap decides, so exactly one of concurrent requests wins: on
 * SQLite in storage/sqlite/refresh.ts, on PostgreSQL in `gatehouse_refresh_v2` (service/content/functions.postgres.sql).
 */
export async function refreshSession(ctx: Context, input: RefreshSession): Promise<Refreshed> {
  const token = readRefreshToken(ctx.keyring, input.tenantId, input.refreshToken)
  for (let retry = 0; retry < MAX_REFRESH_RETRIES; retry++) {
    const { tenant } = await ctx.directory.lastKnown(input.tenantId)
    if (token === null) {
      throw invalidRefreshToken()
    }
    const refreshed = await ctx.queues.run('refresh', tenant.id, () =>
      tryRefresh(ctx, tenant, token, input),
    )
    if (refreshed !== null) {
      return refreshed
    }
    // The tenant was claimed, paused, suspended or ended since it was cached, so its limits or its status changed: read it again.
    ctx.directory.invalidate(tenant.id)
  }
  throw new Unavailable('the tenant keeps changing')
}

/** null: the cached tenant is out of date. */
async function tryRefresh(
  ctx: Context,
  tenant: Tenant,
  token: RefreshTokenFields,
  input: RefreshSession,
): Promise<Refreshed | null> {
  const now = ctx.now()
  const charges = chargesFor(tenant, 'token_refreshed', now, ctx.unlimited)
  const refreshed: RefreshOutcome = await ctx.stores.refresh({
    tenant,
    charges,
    rotation: {
      sessionId: token.sessionId,
      generation: token.generation,
      salt: token.salt,
      now,
      expiresAt: now + REFRESH_TOKEN_MS,
      idempotencyHash:
        input.idempotencyKey === null
          ? null
          : ctx.keyring.hash('idempotency', input.idempotencyKey),
    },
  })
  switch (refreshed.outcome) {
    case 'refreshed': {
      const { session, user, resourceId, leftThisMinute } = refreshed
      const pair = createTokenPair(ctx, { tenant, resource: { id: resourceId }, user }, session)
      return { pair, rate: rateOf(charges.minute, leftThisMinute) }
    }
    case 'not-current':
      return { pair: await handleSpentToken(ctx, tenant, token, input.idempotencyKey), rate: null }
    case 'over-limit':
      throw await handleOverLimit(ctx, tenant, new OverLimit(refreshed.reached))
    case 'not-provisioned':
      ctx.directory.invalidate(tenant.id)
      throw notProvisioned()
    case 'tenant-changed':
      return null
  }
}

/** Concurrent late repeats: one writes, the others read again and repeat its response. */
const MAX_REPEAT_RETRIES = 3

/** Handles an authentic refresh token of an older generation: a retry, a lost race, or a theft. */
async function handleSpentToken(
  ctx: Context,
  tenant: Tenant,
  token: RefreshTokenFields,
  idempotencyKey: string | null,
): Promise<TokenPair> {
  for (let retry = 0; retry < MAX_REPEAT_RETRIES; retry++) {
    const pair = await tryHandle(ctx, tenant, token, idempotencyKey)
    if (pair !== null) {
      return pair
    }
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
  if (session === null || !isActive(session, token, now)) {
    throw invalidRefreshToken()
  }

  const issueAgain = async (rotatedAt: number): Promise<TokenPair> => {
    const user = await stores.users.find(resource, session.userId)
    if (user === null) {
      throw invalidRefreshToken()
    }
    applyRevocation(ctx, tenant, session.id, session.generation)
    return createTokenPair(ctx, { tenant, resource, user }, { ...session, rotatedAt })
  }
  const presented = {
    generation: token.generation,
    idempotencyKey,
    idempotencyHashes:
      idempotencyKey === null ? [] : ctx.keyring.hashes('idempotency', idempotencyKey),
  }
  const spent = classifySpentToken(session, presented, resource.refreshLeewaySeconds, now)
  switch (spent.kind) {
    case 'repeat':
      return issueAgain(session.rotatedAt)
    case 'late': {
      // Moves `rotatedAt`, by which revocations last: the access token issued now is revoked with the others.
      if (!(await stores.sessions.reissue(resource, session, spent.until, now))) {
        return null
      }
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

const invalidRefreshToken = (): ApiError =>
  new ApiError(
    'invalidRefreshToken',
    'This refresh token is unknown, expired or already ended. The person signs in again.',
  )
