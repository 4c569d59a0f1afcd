import type { LoginError } from '@gatehouse-auth/contract'
import { Unavailable } from '../../domain/api-error.ts'
import type { AttemptId, SignInId, TenantId } from '../../domain/ids.ts'
import { cleanUiLocales, requestedLanguage } from '../../domain/language.ts'
import type { Attempt } from '../../domain/login/attempt.ts'
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
  { keyring, sharedClientFaults, now }: Pick<Context, 'keyring' | 'sharedClientFaults' | 'now'>,
  { name, identity, redirectUri, client }: LoginProvider,
  { id, tenantId, browser, hints, uiLocales }: ProviderRequest,
): Promise<URL> {
  const language = requestedLanguage(uiLocales)
  const path = callbackPath(name, tenantId)
  const secrets = deriveRequestSecrets(keyring, id, browser, path, language)
  try {
    const url = await identity.authorizeUrl({
      ...secrets,
      redirectUri,
      hints: { ...hints, uiLocales: cleanUiLocales(uiLocales) },
    })
    if (client === null) {
      sharedClientFaults.noteReachable(name)
    }
    return url
  } catch (error) {
    if (client === null) {
      sharedClientFaults.noteUnreachable(name, now())
    }
    // The log shows one cause: the reason, and not the provider's own error around it.
    const cause = error instanceof Unavailable ? error.cause : error
    throw new Unavailable('The identity provider is out of reach', { cause, retryAfterSeconds: 5 })
  }
}

/** How a login ends: with both tokens, a one-time code, an added identity or an error. */
export type LoginResult =
  | TokenPair
  | { readonly code: string }
  | { readonly linked: string }
  | { readonly error: LoginError }

/** The URL in the app that ends a login. */
export function loginRedirect(redirectUri: string, attempt: Attempt, result: LoginResult): string {
  const returnTo = attempt.returnTo
  if ('accessToken' in result) {
    return redirectUrl(redirectUri, {
      access_token: result.accessToken,
      refresh_token: result.refreshToken,
      return_to: returnTo,
    })
  }
  return redirectUrl(redirectUri, { ...result, return_to: returnTo })
}
