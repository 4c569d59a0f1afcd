import type { SessionId } from '../../domain/ids.ts'
import {
  REFRESH_TOKEN_MS,
  SESSION_ABSOLUTE_MS,
  type Session,
} from '../../domain/sessions/session.ts'
import type { Resource, TransactionStores } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { signAccessToken, type TokenSubject } from '../../domain/tokens/access-token.ts'
import {
  mintRefreshToken,
  type RefreshTokenFields,
  SALT_BYTES,
} from '../../domain/tokens/refresh-token.ts'
import type { User } from '../../domain/users/user.ts'
import type { Context } from '../context.ts'

interface NewSession extends TokenHolder {
  readonly resource: Resource
  readonly now: number
  /** The hash of an exchange's Idempotency-Key. */
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
  const pair = createTokenPair(ctx, { tenant, resource, user }, session)
  return { ...pair, sessionId: session.id }
}

export interface TokenPair {
  readonly accessToken: string
  readonly refreshToken: string
}

interface TokenHolder {
  readonly tenant: Tenant
  readonly resource: Pick<Resource, 'id'>
  readonly user: User
}

/** The pair of a session's current generation. Derived, not stored: the same session gives the same pair again. */
export function createTokenPair(
  ctx: Pick<Context, 'keyring' | 'baseUrl' | 'accessTokenSeconds'>,
  holder: TokenHolder,
  session: Pick<Session, 'id' | 'generation' | 'salt' | 'rotatedAt'>,
): TokenPair {
  const { keyring } = ctx
  const { tenant, resource, user } = holder
  const subject: TokenSubject = {
    iss: ctx.baseUrl,
    tenant_id: tenant.id,
    id: user.id,
    email: user.email,
    name: user.name,
    picture: user.picture,
    sid: session.id,
    gen: session.generation,
    rid: resource.id,
    ...(tenant.expiresAt === null ? {} : { tenant_ends: tenant.expiresAt }),
  }
  const refresh: RefreshTokenFields = {
    sessionId: session.id,
    generation: session.generation,
    salt: session.salt,
  }
  return {
    accessToken: signAccessToken(keyring, subject, session.rotatedAt, ctx.accessTokenSeconds),
    refreshToken: mintRefreshToken(keyring, tenant.id, refresh),
  }
}
