import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretPost,
  Configuration,
  customFetch,
  discovery,
  fetchUserInfo,
} from 'openid-client'
import { isLoopback } from '../domain/callbacks/loopback.ts'
import type { AuthorizeResponse, IdentityProvider, SignIn, SignInStage } from '../domain/login/identity-provider.ts'
import { readProfile } from '../domain/login/profile.ts'
import { challengeOf } from '../domain/oauth/pkce.ts'
import { Unavailable } from '../domain/unavailable.ts'
import { boundedFetch, RESPONSE_MAX_BYTES } from './bounded-fetch.ts'
import { keepAliveFetch } from './keep-alive-fetch.ts'
import { errorCode, loggable, ProviderFault } from './sign-in-error.ts'

/** What Google gets for one sign-in in all: token exchange and userinfo together. */
const DEADLINE_MS = 8_000

/** A sign-in makes its calls one after another, so this also bounds the calls under way. */
const SIGN_INS_IN_FLIGHT = 200

export interface GoogleConfig {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly fetch?: typeof globalThis.fetch
  /** For tests of slowness that should not be slow. */
  readonly deadlineMs?: number
}

/** Google, or any OpenID provider that can be found at an issuer and knows us by a client id and secret. */
export function google(config: GoogleConfig): IdentityProvider {
  const { clientId, clientSecret, fetch = keepAliveFetch(RESPONSE_MAX_BYTES), deadlineMs = DEADLINE_MS } = config
  const issuer = new URL(config.issuer)
  const insecure = issuer.protocol === 'http:' && isLoopback(issuer)
  if (issuer.protocol !== 'https:' && !insecure) {
    throw new Error(`The identity provider must use https: ${config.issuer}. Only one on this machine may use http.`)
  }

  // Not Basic, which would form-encode the dots and dashes of Google's client ids.
  const authentication = ClientSecretPost(clientSecret)
  let found: Promise<Configuration> | undefined
  let inFlight = 0

  /** Asked once, by whoever comes first. A failure is not remembered: the next caller asks again. */
  function discover(): Promise<Configuration> {
    found ??= discovery(issuer, clientId, undefined, authentication, {
      [customFetch]: boundedFetch(fetch, AbortSignal.timeout(deadlineMs)),
      execute: insecure ? [allowInsecureRequests] : [],
    }).catch((error: unknown) => {
      found = undefined
      throw error
    })
    return found
  }

  /** The same client for one sign-in: whatever it asks, it asks within the deadline. */
  function within(deadline: AbortSignal, discovered: Configuration): Configuration {
    const configuration = new Configuration(discovered.serverMetadata(), clientId, undefined, authentication)
    configuration[customFetch] = boundedFetch(fetch, deadline)
    if (insecure) allowInsecureRequests(configuration)
    return configuration
  }

  async function identify({ currentUrl, state, nonce, codeVerifier }: AuthorizeResponse): Promise<SignIn> {
    const deadline = AbortSignal.timeout(deadlineMs)
    let stage: SignInStage = 'token_exchange'
    try {
      const configuration = within(deadline, await unlessOver(deadline, discover()))
      // The ID token's signature is not checked: it came straight from the token endpoint, so TLS vouches for its
      // sender (OpenID Connect Core, section 3.1.3.7, item 6). Issuer, audience, times and nonce are.
      const tokens = await authorizationCodeGrant(configuration, currentUrl, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      })
      const subject = tokens.claims()?.sub ?? ''

      stage = 'userinfo'
      // An access token for somebody else, slipped into this answer, shows here as another subject.
      const fields = await fetchUserInfo(configuration, tokens.access_token, subject)
      const read = readProfile(configuration.serverMetadata().issuer, fields)
      return read.ok
        ? { outcome: 'identified', profile: read.profile }
        : { outcome: 'failed', stage, errorCode: read.fault }
    } catch (error) {
      if (error instanceof AuthorizationResponseError && error.error === 'access_denied') return { outcome: 'denied' }
      return { outcome: 'failed', stage, errorCode: errorCode(stage, error), cause: loggable(error) }
    }
  }

  return {
    async authorizeUrl({ redirectUri, state, nonce, codeVerifier }) {
      try {
        return buildAuthorizationUrl(await discover(), {
          redirect_uri: redirectUri,
          scope: 'openid email profile',
          state,
          nonce,
          code_challenge: challengeOf(codeVerifier),
          code_challenge_method: 'S256',
          // People have several Google accounts; the one they used last is not always the one they mean.
          prompt: 'select_account',
        })
      } catch (error) {
        throw new Unavailable('The identity provider cannot be reached right now.', { cause: loggable(error) })
      }
    },

    async signIn(response) {
      // Turned away at the door: a sign-in stopped half-way would have spent its code for nothing.
      if (inFlight >= SIGN_INS_IN_FLIGHT) return { outcome: 'failed', stage: 'token_exchange', errorCode: 'busy' }
      inFlight += 1
      try {
        return await identify(response)
      } finally {
        inFlight -= 1
      }
    },
  }
}

/** Another caller may have started the discovery we share, with a deadline of its own; ours still holds. */
function unlessOver<T>(deadline: AbortSignal, work: Promise<T>): Promise<T> {
  const over = new Promise<never>((_, reject) => {
    deadline.addEventListener('abort', () => reject(new ProviderFault('timeout')), { once: true })
  })
  return Promise.race([work, over])
}
