import type { AttemptId, SignInId } from '../ids.ts'
import { isLanguageTag, type LanguageTag } from '../language.ts'
import type { Keyring } from '../tokens/keyring.ts'
import { constantTimeEqual } from '../tokens/secret.ts'
import { ATTEMPT_ID_CHARACTERS } from './attempt.ts'
import type { AuthRequestSecrets } from './identity-provider.ts'

/**
 * The secrets of one authorization request are derived from the attempt's id, the browser's cookie and the path that the
 * response must arrive at. They are not stored, a state is useless in another browser (RFC 9700, section 4.7) or at the
 * callback of another provider (section 4.4), and a forged one is rejected without a query.
 */
export function deriveRequestSecrets(
  keyring: Keyring,
  attemptId: AttemptId | SignInId,
  browser: string,
  callbackPath: string,
  language: LanguageTag | null = null,
): AuthRequestSecrets {
  const { kid } = keyring.current
  const suffix = language === null ? '' : `.${language}`
  const mac = keyring.mac(
    'login-state',
    bindToCallback(attemptId, browser, callbackPath) + suffix,
    kid,
  )
  return requestSecretsOf(keyring, `${attemptId}.${mac}${suffix}`, kid)
}

/** The id, the MAC, and the language that the start of the sign-in asked for. */
const STATE = /^([^.]*)\.([^.]*)(\.[^.]+)?$/

/** Also of a state that isn't valid: its error page is in the same language. */
export function stateLanguage(state: string | undefined): LanguageTag | null {
  const tag = STATE.exec(state ?? '')?.[3]?.slice(1)
  return isLanguageTag(tag) ? tag : null
}

type VerifiedState =
  | {
      readonly valid: true
      readonly attemptId: AttemptId | SignInId
      readonly requestSecrets: AuthRequestSecrets
    }
  | { readonly valid: false }

/** Valid only with the cookie of the browser and at the path it was derived for. Accepts every master key in the ring. */
export function verifyState(
  keyring: Keyring,
  state: string,
  browser: string,
  callbackPath: string,
): VerifiedState {
  const [, attemptId = '', given = '', suffix = ''] = STATE.exec(state) ?? []
  const bound = bindToCallback(attemptId, browser, callbackPath) + suffix
  const kid = keyring.kids.find((each) =>
    constantTimeEqual(keyring.mac('login-state', bound, each), given),
  )
  return kid === undefined
    ? { valid: false }
    : { valid: true, attemptId, requestSecrets: requestSecretsOf(keyring, state, kid) }
}

const requestSecretsOf = (keyring: Keyring, state: string, kid: number): AuthRequestSecrets => ({
  state,
  nonce: keyring.mac('login-nonce', state, kid),
  codeVerifier: keyring.mac('login-verifier', state, kid),
})

const bindToCallback = (
  attemptId: AttemptId | SignInId,
  browser: string,
  callbackPath: string,
): string => `${bindToBrowser(attemptId, browser)}\0${callbackPath}`

/** The CSRF token of the consent form, bound to the attempt and the browser. */
export const consentToken = (
  keyring: Keyring,
  attemptId: AttemptId,
  browser: string,
  kid = keyring.current.kid,
): string => keyring.mac('consent', bindToBrowser(attemptId, browser), kid)

export const isConsentToken = (
  keyring: Keyring,
  token: string,
  attemptId: AttemptId,
  browser: string,
): boolean =>
  keyring.kids.some((kid) =>
    constantTimeEqual(consentToken(keyring, attemptId, browser, kid), token),
  )

/** The id of a login that goes back to the provider. Derived, so that a second press of the button leads to the same one. */
export const restartedAttemptId = (
  keyring: Keyring,
  attemptId: AttemptId,
  browser: string,
): AttemptId =>
  keyring.mac('login-restart', bindToBrowser(attemptId, browser)).slice(0, ATTEMPT_ID_CHARACTERS)

const bindToBrowser = (attemptId: AttemptId | SignInId, browser: string): string =>
  `${attemptId}\0${browser}`
