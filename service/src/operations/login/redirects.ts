import type { LoginError, LoginFailure } from '@gatehouse-auth/contract'
import { issuerOf } from '@gatehouse-auth/contract'
import { Unavailable } from '../../domain/api-error.ts'
import type { AttemptId, SignInId, TenantId } from '../../domain/ids.ts'
import { openIdErrorOf } from '../../domain/issuer/openid-error.ts'
import { cleanUiLocales, requestedLanguage } from '../../domain/language.ts'
import type { Attempt } from '../../domain/login/attempt.ts'
import type { AccountHints } from '../../domain/login/identity-provider.ts'
import { openIdRedirectUrl, redirectUrl } from '../../domain/login/redirect-url.ts'
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
  | LoginFailed

export interface LoginFailed {
  readonly error: LoginError
  /** Why, for an app that began with an OpenID request; a repeated decision does not know it. */
  readonly reason?: LoginFailure
}

/** The URL in the app that ends a login. */
export function loginRedirect(
  { baseUrl }: Pick<Context, 'baseUrl'>,
  redirectUri: string,
  attempt: Attempt,
  result: LoginResult,
): string {
  const { openId, returnTo } = attempt
  if (openId !== null && ('code' in result || 'error' in result)) {
    return openIdRedirectUrl(redirectUri, {
      ...('code' in result ? result : openIdErrorOf(result)),
      state: openId.state,
      issuer: issuerOf(baseUrl, attempt.tenantId),
    })
  }
  if ('accessToken' in result) {
    return redirectUrl(redirectUri, {
      access_token: result.accessToken,
      refresh_token: result.refreshToken,
      return_to: returnTo,
    })
  }
  if ('error' in result) {
    return redirectUrl(redirectUri, { error: result.error, return_to: returnTo })
  }
  return redirectUrl(redirectUri, { ...result, return_to: returnTo })
}
