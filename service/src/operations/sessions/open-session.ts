import { REFRESH_TOKEN_MS, SESSION_ABSOLUTE_MS } from '../../domain/sessions/session.ts'
import type { Resource, TransactionStores } from '../../domain/stores/stores.ts'
import { SALT_BYTES } from '../../domain/tokens/refresh-token.ts'
import type { Context } from '../context.ts'
import { createTokenPair, type Holder, type TokenPair } from './token-pair.ts'

interface Opening extends Holder {
  readonly resource: Resource
  readonly client: string
  readonly now: number
}

/** Begins a session for somebody who has just signed in, within the transaction that stores them. */
export async function openSession(
  ctx: Context,
  stores: TransactionStores,
  { tenant, resource, user, client, now }: Opening,
): Promise<TokenPair> {
  const session = await stores.sessions.start(resource, {
    userId: user.id,
    salt: ctx.random(SALT_BYTES),
    generation: 1,
    createdAt: now,
    rotatedAt: now,
    expiresAt: now + REFRESH_TOKEN_MS,
    absoluteExpiresAt: now + SESSION_ABSOLUTE_MS,
    fingerprint: ctx.keyring.hash('client', client),
    idempotencyHash: null,
  })
  return createTokenPair(ctx, { tenant, resource, user }, session)
}
