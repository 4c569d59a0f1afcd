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

/** The deadline for one sign-in: token exchange and userinfo together. */
const DEADLINE_MS = 8_000

/** Also bounds the outgoing requests, because a sign-in makes its requests one after another. */
const SIGN_INS_IN_FLIGHT = 200

export interface GoogleConfig {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly fetch?: typeof globalThis.fetch
  /** Shorter in tests. */
  readonly deadlineMs?: number
}

/** Google, or any OpenID provider with discovery that accepts a client id and secret. */
export function google(config: GoogleConfig): IdentityProvider {
  const { clientId, clientSecret, fetch = keepAliveFetch(RESPONSE_MAX_BYTES), deadlineMs = DEADLINE_MS } = config
  const issuer = new URL(config.issuer)
  const insecure = issuer.protocol === 'http:' && isLoopback(issuer)
  // Prevents sending the client secret and the tokens in clear text (RFC 6749, section 3.2).
  if (issuer.protocol !== 'https:' && !insecure) {
    throw new Error(`The identity provider must use https: ${config.issuer}. Only one on this machine may use http.`)
  }

  // Not Basic: it form-encodes the dots and dashes of Google's client ids (RFC 6749, section 2.3.1).
  const authentication = ClientSecretPost(clientSecret)
  let discovered: Promise<Configuration> | undefined
  let inFlight = 0

  /** Fetches the discovery document once; concurrent callers share the request. A failure is not cached. */
  function discover(): Promise<Configuration> {
    discovered ??= discovery(issuer, clientId, undefined, authentication, {
      [customFetch]: boundedFetch(fetch, AbortSignal.timeout(deadlineMs)),
      execute: insecure ? [allowInsecureRequests] : [],
    }).catch((error: unknown) => {
      discovered = undefined
      throw error
    })
    return discovered
  }

  /** A client for one sign-in, whose requests all share the deadline. */
  function configurationWithin(deadline: AbortSignal, shared: Configuration): Configuration {
    const configuration = new Configuration(shared.serverMetadata(), clientId, undefined, authentication)
    configuration[customFetch] = boundedFetch(fetch, deadline)
    if (insecure) allowInsecureRequests(configuration)
    return configuration
  }

  async function identify({ currentUrl, state, nonce, codeVerifier }: AuthorizeResponse): Promise<SignIn> {
    const deadline = AbortSignal.timeout(deadlineMs)
    let stage: SignInStage = 'token_exchange'
    try {
      const configuration = configurationWithin(deadline, await rejectAfter(deadline, discover()))
      // Prevents login CSRF (state), code injection (PKCE) and ID token replay (nonce). Issuer, audience and times are
      // checked too; the signature is not, because the token came from the token endpoint over TLS (OpenID Connect Core,
      // section 3.1.3.7, item 6).
      const tokens = await authorizationCodeGrant(configuration, currentUrl, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      })
      const idToken = tokens.claims()
      const subject = idToken?.sub ?? ''
      // From the ID token, as Google documents it; userinfo has it too.
      const hostedDomain = typeof idToken?.hd === 'string' ? idToken.hd : null

      stage = 'userinfo'
      // Prevents token substitution: userinfo must return the subject of the ID token (OpenID Connect Core, section 5.3.2).
      const claims = await fetchUserInfo(configuration, tokens.access_token, subject)
      const parsed = readProfile(configuration.serverMetadata().issuer, claims)
      return parsed.ok
        ? { outcome: 'identified', profile: parsed.profile, hostedDomain }
        : { outcome: 'failed', stage, errorCode: parsed.fault }
    } catch (error) {
      if (error instanceof AuthorizationResponseError && error.error === 'access_denied') return { outcome: 'denied' }
      return { outcome: 'failed', stage, errorCode: errorCode(stage, error), cause: loggable(error) }
    }
  }

  return {
    async issuer() {
      try {
        return (await discover()).serverMetadata().issuer
      } catch (error) {
        throw new Unavailable('The identity provider cannot be reached right now.', { cause: loggable(error) })
      }
    },

    async authorizeUrl({ redirectUri, state, nonce, codeVerifier, hints = {} }) {
      const { prompt = 'select_account', loginHint, hostedDomain } = hints
      try {
        return buildAuthorizationUrl(await discover(), {
          redirect_uri: redirectUri,
          scope: 'openid email profile',
          state,
          nonce,
          code_challenge: challengeOf(codeVerifier),
          code_challenge_method: 'S256',
          ...(prompt === 'auto' ? {} : { prompt }),
          ...(loginHint ? { login_hint: loginHint } : {}),
          ...(hostedDomain ? { hd: hostedDomain } : {}),
        })
      } catch (error) {
        throw new Unavailable('The identity provider cannot be reached right now.', { cause: loggable(error) })
      }
    },

    async signIn(response) {
      // Rejected before the token exchange, so that the authorization code is not consumed.
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

/** Rejects at the deadline. A shared discovery has the deadline of the sign-in that started it, which may be later. */
function rejectAfter<T>(deadline: AbortSignal, work: Promise<T>): Promise<T> {
  const timeout = new Promise<never>((_, reject) => {
    deadline.addEventListener('abort', () => reject(new ProviderFault('timeout')), { once: true })
  })
  return Promise.race([work, timeout])
}
