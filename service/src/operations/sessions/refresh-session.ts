import type { TenantId } from '../../domain/ids.ts'
import { chargesFor } from '../../domain/limits/allowance.ts'
import { OverLimit } from '../../domain/limits/over-limit.ts'
import { type Rate, rateLeft } from '../../domain/limits/rate.ts'
import type { RefreshOutcome } from '../../domain/sessions/refresh.ts'
import { REFRESH_TOKEN_MS } from '../../domain/sessions/session.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { type RefreshTokenFields, readRefreshToken } from '../../domain/tokens/refresh-token.ts'
import { Unavailable } from '../../domain/unavailable.ts'
import type { Context } from '../context.ts'
import { handleOverLimit } from '../limits/handle-over-limit.ts'
import { notProvisioned } from '../tenants/require-tenant.ts'
import { handleSpentToken, invalidRefreshToken } from './handle-spent-token.ts'
import { createTokenPair, type TokenPair } from './token-pair.ts'

export interface RefreshSession {
  readonly tenantId: TenantId
  readonly refreshToken: string
  readonly idempotencyKey: string | null
}

export interface Refreshed {
  readonly pair: TokenPair
  /** null for a repeated response. */
  readonly rate: Rate | null
}

const MAX_RETRIES = 3

/** Exchanges a refresh token for a new pair. One compare-and-swap decides, so exactly one of concurrent requests wins. */
export async function refreshSession(ctx: Context, input: RefreshSession): Promise<Refreshed> {
  const token = readRefreshToken(ctx.keyring, input.tenantId, input.refreshToken)
  for (let retry = 0; retry < MAX_RETRIES; retry++) {
    const { tenant } = await ctx.directory.lastKnown(input.tenantId)
    if (token === null) throw invalidRefreshToken()
    const refreshed = await ctx.queues.run('refresh', tenant.id, () => tryRefresh(ctx, tenant, token, input))
    if (refreshed !== null) return refreshed
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
      idempotencyHash: input.idempotencyKey === null ? null : ctx.keyring.hash('idempotency', input.idempotencyKey),
    },
  })
  switch (refreshed.outcome) {
    case 'refreshed': {
      const { session, user, resourceId, usedThisMinute } = refreshed
      const pair = createTokenPair(ctx, { tenant, resource: { id: resourceId }, user }, session)
      return { pair, rate: rateLeft(charges.minute, usedThisMinute) }
    }
    case 'not-current':
      return { pair: await handleSpentToken(ctx, tenant, token, input.idempotencyKey), rate: null }
    case 'over-limit':
      throw await handleOverLimit(ctx, tenant, new OverLimit(refreshed.charge))
    case 'not-provisioned':
      ctx.directory.invalidate(tenant.id)
      throw notProvisioned()
    case 'tenant-changed':
      return null
  }
}
