import { tokenRefreshed } from '../../domain/events/auth-event.ts'
import { OverLimit } from '../../domain/limits/over-limit.ts'
import type { Rate } from '../../domain/limits/rate.ts'
import { REFRESH_TOKEN_MS } from '../../domain/sessions/session.ts'
import { readRefreshToken } from '../../domain/tokens/refresh-token.ts'
import type { Context } from '../context.ts'
import { refuseOverLimit } from '../limits/refuse-over-limit.ts'
import { spendAuthEvent } from '../limits/spend-auth-event.ts'
import { holdResource, requireTenant } from '../tenants/require-tenant.ts'
import { answerSpentToken, invalidRefreshToken } from './answer-spent-token.ts'
import { pairOf, type TokenPair } from './token-pair.ts'

export interface RefreshSession {
  readonly tenantId: string
  readonly refreshToken: string
  /** The caller's user agent: tells two tabs of one app from somebody else. */
  readonly client: string
  readonly idempotencyKey: string | null
}

export interface Refreshed {
  readonly pair: TokenPair
  /** null for an answer that was given before. */
  readonly rate: Rate | null
}

/** One use, new pair. One compare-and-swap decides, so of any number at once exactly one wins. */
export async function refreshSession(ctx: Context, input: RefreshSession): Promise<Refreshed> {
  const now = ctx.now()
  const token = readRefreshToken(ctx.keyring, input.tenantId, input.refreshToken)
  if (token === null) {
    await ctx.directory.requireProvisioned(input.tenantId)
    throw invalidRefreshToken()
  }
  const tenant = await requireTenant(ctx.stores, input.tenantId, now)
  if (token.profile !== tenant.profile) throw invalidRefreshToken()
  try {
    const refreshed = await ctx.stores.atomically(tenant.profile, async (stores) => {
      const resource = await holdResource(stores, tenant)
      const session = await stores.sessions.rotate(resource, {
        sessionId: token.sessionId,
        generation: token.generation,
        salt: token.salt,
        now,
        expiresAt: now + REFRESH_TOKEN_MS,
        fingerprint: ctx.keyring.hash('client', input.client),
        idempotencyHash: input.idempotencyKey === null ? null : ctx.keyring.hash('idempotency', input.idempotencyKey),
      })
      if (session === null) return null
      // After the swap, so that a repeated request is recognised even when the bucket is empty; a refusal undoes both.
      const rate = await spendAuthEvent(stores, tenant, 'token_refreshed', now)
      const user = await stores.users.touch(resource, session.userId, now)
      if (user === null) throw invalidRefreshToken()
      await stores.events.append(resource, tokenRefreshed(user, now))
      return { pair: pairOf(ctx, { tenant, resource, user }, session), rate }
    })
    return refreshed ?? { pair: await answerSpentToken(ctx, tenant, token, input), rate: null }
  } catch (error) {
    throw error instanceof OverLimit ? await refuseOverLimit(ctx, tenant, 'token_refreshed', error) : error
  }
}
