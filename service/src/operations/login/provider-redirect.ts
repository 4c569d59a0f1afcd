import type { AttemptId, SignInId } from '../../domain/ids.ts'
import type { AccountHints } from '../../domain/login/identity-provider.ts'
import { deriveRequestSecrets } from '../../domain/login/request-secrets.ts'
import { Unavailable } from '../../domain/unavailable.ts'
import type { Context } from '../context.ts'

/** The authorization URL at Google, with a state that is bound to this browser. */
export async function providerRedirectUrl(
  ctx: Pick<Context, 'identity' | 'keyring' | 'baseUrl'>,
  attemptId: AttemptId | SignInId,
  browser: string,
  hints?: AccountHints,
): Promise<URL> {
  try {
    return await ctx.identity.authorizeUrl({
      ...deriveRequestSecrets(ctx.keyring, attemptId, browser),
      // The only redirect URI registered at the provider, for all tenants and for accounts.
      redirectUri: `${ctx.baseUrl}/auth/google/callback`,
      hints,
    })
  } catch (cause) {
    throw new Unavailable('The identity provider is out of reach', { cause, retryAfterSeconds: 5 })
  }
}
