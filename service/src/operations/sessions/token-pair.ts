import type { Session } from '../../domain/sessions/session.ts'
import type { User } from '../../domain/sessions/user.ts'
import type { Resource } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { signAccessToken } from '../../domain/tokens/access-token.ts'
import { mintRefreshToken } from '../../domain/tokens/refresh-token.ts'
import type { Context } from '../context.ts'

export interface TokenPair {
  readonly accessToken: string
  readonly refreshToken: string
}

export interface TokenHolder {
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
  const { tenant, resource, user } = holder
  return {
    accessToken: signAccessToken(
      ctx.keyring,
      {
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
      },
      session.rotatedAt,
      ctx.accessTokenSeconds,
    ),
    refreshToken: mintRefreshToken(ctx.keyring, tenant.id, {
      sessionId: session.id,
      generation: session.generation,
      salt: session.salt,
    }),
  }
}
