import type { AttemptId, SignInId } from '../ids.ts'
import type { Keyring } from '../tokens/keyring.ts'
import { constantTimeEqual } from '../tokens/secret.ts'
import type { AuthRequestSecrets } from './identity-provider.ts'

/**
 * The secrets of one trip to the provider are made from the attempt's id and the cookie of the browser that started
 * it, so nothing of them is stored, a state is worthless in any other browser (RFC 9700, section 4.7), and a made-up
 * one is recognised before a database is asked.
 */
export function deriveRequestSecrets(
  keyring: Keyring,
  attemptId: AttemptId | SignInId,
  browser: string,
): AuthRequestSecrets {
  const { kid } = keyring.current
  return requestSecretsOf(keyring, `${attemptId}.${keyring.mac('login-state', bound(attemptId, browser), kid)}`, kid)
}

export type ReturnedState =
  | { readonly ours: true; readonly attemptId: AttemptId | SignInId; readonly requestSecrets: AuthRequestSecrets }
  | { readonly ours: false }

/** Reads a state that came back. Only the browser it was made for makes it ours, whichever key was current then. */
export function verifyState(keyring: Keyring, state: string, browser: string): ReturnedState {
  const dot = Math.max(state.indexOf('.'), 0)
  const attemptId = state.slice(0, dot)
  const given = state.slice(dot + 1)
  const kid = keyring.kids.find((each) =>
    constantTimeEqual(keyring.mac('login-state', bound(attemptId, browser), each), given),
  )
  return kid === undefined
    ? { ours: false }
    : { ours: true, attemptId, requestSecrets: requestSecretsOf(keyring, state, kid) }
}

/** Ties the consent form to the attempt and to the browser that was shown it. */
export const consentToken = (
  keyring: Keyring,
  attemptId: AttemptId,
  browser: string,
  kid = keyring.current.kid,
): string => keyring.mac('consent', bound(attemptId, browser), kid)

export const isConsentToken = (keyring: Keyring, token: string, attemptId: AttemptId, browser: string): boolean =>
  keyring.kids.some((kid) => constantTimeEqual(consentToken(keyring, attemptId, browser, kid), token))

const bound = (attemptId: AttemptId | SignInId, browser: string): string => `${attemptId}\0${browser}`

const requestSecretsOf = (keyring: Keyring, state: string, kid: number): AuthRequestSecrets => ({
  state,
  nonce: keyring.mac('login-nonce', state, kid),
  codeVerifier: keyring.mac('login-verifier', state, kid),
})
