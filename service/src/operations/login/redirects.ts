import type { LoginError } from '@gatehouse-auth/contract'
import { Unavailable } from '../../domain/api-error.ts'
import type { AttemptId, SignInId, TenantId } from '../../domain/ids.ts'
import { cleanUiLocales, requestedLanguage } from '../../domain/language.ts'
import { type Attempt, returnToParameter } from '../../domain/login/attempt.ts'
import type { AccountHints } from '../../domain/login/identity-provider.ts'
import { redirectUrl } from '../../domain/login/redirect-url.ts'
import { deriveRequestSecrets } from '../../domain/login/request-secrets.ts'
import { callbackPath } from '../../domain/providers/provider.ts'
import type { Context } from '../context.ts'
import type { LoginProvider } from '../providers/login-provider.ts'
import type { TokenPair } from '../sessions/open-session.ts'

interface ProviderRequest {
  readonly id: AttemptId | SignInId
  /** Whose login it is. */
  readonly tenantId: TenantId
  readonly browser: string
  readonly hints?: Omit<AccountHints, 'uiLocales'>
  /** As the request had it. The provider gets what is well-formed; the state keeps the language for our own pages. */
  readonly uiLocales?: string | undefined
}

/** The authorization URL at the provider, with a state that is bound to this browser and to the provider's callback. */
export async function providerRedirectUrl(
  { keyring }: Pick<Context, 'keyring'>,
  { name, identity, redirectUri }: Omit<LoginProvider, 'client'>,
  { id, tenantId, browser, hints, uiLocales }: ProviderRequest,
): Promise<URL> {
  try {
    return await identity.authorizeUrl({
      ...deriveRequestSecrets(
        keyring,
        id,
        browser,
        callbackPath(name, tenantId),
        requestedLanguage(uiLocales),
      ),
      redirectUri,
      hints: { ...hints, uiLocales: cleanUiLocales(uiLocales) },
    })
  } catch (cause) {
    throw new Unavailable('The identity provider is out of reach', { cause, retryAfterSeconds: 5 })
  }
}

/** The URL in the app that ends a login: with both tokens, a one-time code or an error. */
export const loginRedirect = (
  redirectUri: string,
  attempt: Attempt,
  result:
    | TokenPair
    | { readonly code: string }
    | { readonly linked: string }
    | { readonly error: LoginError },
): string =>
  redirectUrl(redirectUri, {
    ...('error' in result || 'code' in result || 'linked' in result
      ? result
      : { access_token: result.accessToken, refresh_token: result.refreshToken }),
    ...returnToParameter(attempt),
  })
