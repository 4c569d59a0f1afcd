import type { SessionId } from '../../domain/ids.ts'
import { REFRESH_TOKEN_MS, SESSION_ABSOLUTE_MS } from '../../domain/sessions/session.ts'
import type { Resource, TransactionStores } from '../../domain/stores/stores.ts'
import { SALT_BYTES } from '../../domain/tokens/refresh-token.ts'
import type { Context } from '../context.ts'
import { createTokenPair, type TokenHolder, type TokenPair } from './token-pair.ts'

interface NewSession extends TokenHolder {
  readonly resource: Resource
  readonly now: number
  /** Of the Idempotency-Key of an exchange. */
  readonly idempotencyHash?: string | null
}

/** Creates a session, in the transaction that stores the user or uses a one-time code. */
export async function openSession(
  ctx: Context,
  stores: TransactionStores,
  { tenant, resource, user, now, idempotencyHash = null }: NewSession,
): Promise<TokenPair & { readonly sessionId: SessionId }> {
  const session = await stores.sessions.start(resource, {
    userId: user.id,
    salt: ctx.random(SALT_BYTES),
    generation: 1,
    createdAt: now,
    rotatedAt: now,
    expiresAt: now + REFRESH_TOKEN_MS,
    absoluteExpiresAt: now + SESSION_ABSOLUTE_MS,
    idempotencyHash,
    late: null,
  })
  return { ...createTokenPair(ctx, { tenant, resource, user }, session), sessionId: session.id }
}
