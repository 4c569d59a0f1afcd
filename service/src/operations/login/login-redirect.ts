import type { LoginError } from '@gatehouse/contract'
import { type Attempt, returnToParameter } from '../../domain/login/attempt.ts'
import { redirectUrl } from '../../domain/login/redirect-url.ts'
import type { TokenPair } from '../sessions/token-pair.ts'

/** The URL in the app that ends a login: with both tokens, a one-time code or an error. */
export const loginRedirect = (
  redirectUri: string,
  attempt: Attempt,
  result: TokenPair | { readonly code: string } | { readonly error: LoginError },
): string =>
  redirectUrl(redirectUri, {
    ...('error' in result || 'code' in result
      ? result
      : { access_token: result.accessToken, refresh_token: result.refreshToken }),
    ...returnToParameter(attempt),
  })
