import { AsyncLocalStorage } from 'node:async_hooks'
import type { ClientAuth, Configuration, CustomFetch, ServerMetadata } from 'openid-client'
import { Unavailable } from '../domain/api-error.ts'
import { isLoopback } from '../domain/callbacks/host.ts'
import type {
  AccountHints,
  AuthorizeRequest,
  AuthorizeResponse,
  ClientCheck,
  IdentityProvider,
  SignIn,
  SignInStage,
} from '../domain/login/identity-provider.ts'
import type { ReadProfile } from '../domain/login/profile.ts'
import { challengeOf } from '../domain/oauth/token.ts'
import { boundedFetch, type ProviderFetch, RESPONSE_MAX_BYTES } from './bounded-fetch.ts'
import { keepAliveFetch } from './keep-alive-fetch.ts'
import {
  authorizationError,
  errorCode,
  errorDescription,
  limitSignIns,
  loggable,
  ProviderFault,
} from './sign-in-error.ts'

/** The deadline for one sign-in: token exchange and userinfo together. */
const DEADLINE_MS = 8_000

export type Claims = Readonly<Record<string, unknown>>

/** How one OpenID provider differs from the others. */
interface OpenIdProvider extends ClientAtProvider {
  readonly scope?: string
  /** False if the provider checks no code challenge (RFC 7636). State and nonce protect a login without one. */
  readonly pkce?: boolean
  /** `userinfo`: falls back to the ID token if the provider has no userinfo endpoint. */
  readonly claimsFrom?: 'userinfo' | 'id_token'
  /** Parameters of the authorization URL besides those of the flow. */
  parameters(hints: AccountHints, metadata: ServerMetadata): Readonly<Record<string, string>>
  /** The claims, and those of the ID token, whose issuer is verified. */
  readProfile(claims: Claims, idToken: Claims, displayName: string | null): ReadProfile
  /** The Workspace of the account, if the provider has such. */
  hostedDomain?(idToken: Claims): string | null
  readonly fetch?: ProviderFetch | undefined
  /** Shorter in tests. */
  readonly deadlineMs?: number | undefined
}

/** How a user says no. Apple has its own word. */
const DENIALS: readonly string[] = ['access_denied', 'user_cancelled_authorize']

/** A client of an OpenID provider with discovery. */
export function openIdProvider(provider: OpenIdProvider): IdentityProvider {
  const sender = boundedSender(provider)
  const discover = discovery(provider, sender.fetch)
  const connection: Connection = { provider, sender, discover }

  return {
    issuer: () => issuerOf(connection),
    isIssuer: (issuer) => URL.parse(issuer)?.href === new URL(provider.issuer).href,
    authorizeUrl: (request) => authorizeUrl(connection, request),
    signIn: limitSignIns((response) => identify(connection, response)),
    checkClient: (redirectUri) => checkClient(connection, redirectUri),
  }
}

/** A provider, and how its servers are reached. */
interface Connection {
  readonly provider: OpenIdProvider
  readonly sender: BoundedSender
  discover(): Promise<Discovered>
}

interface BoundedSender {
  readonly fetch: CustomFetch
  /** All requests of `work` share one deadline. */
  withinDeadline<T>(work: (deadline: AbortSignal) => Promise<T>): Promise<T>
}

function boundedSender(provider: OpenIdProvider): BoundedSender {
  const { fetch = keepAliveFetch(RESPONSE_MAX_BYTES), deadlineMs = DEADLINE_MS } = provider
  /**
   * The deadline of the sign-in that a request belongs to. One configuration serves all sign-ins: a copy of it would not
   * know that Microsoft's issuer is a template.
   */
  const deadlines = new AsyncLocalStorage<AbortSignal>()

  return {
    fetch(url, options) {
      const deadline = deadlines.getStore() ?? AbortSignal.timeout(deadlineMs)
      return boundedFetch(fetch, deadline)(url, options)
    },
    withinDeadline(work) {
      const deadline = AbortSignal.timeout(deadlineMs)
      return deadlines.run(deadline, () => work(deadline))
    },
  }
}

async function issuerOf({ discover }: Connection): Promise<string> {
  try {
    const { metadata } = await discover()
    return metadata.issuer
  } catch (error) {
    throw unreachable(error)
  }
}

async function authorizeUrl(
  { provider, discover }: Connection,
  { redirectUri, state, nonce, codeVerifier, hints = {} }: AuthorizeRequest,
): Promise<URL> {
  const { scope = 'openid email profile', pkce = true } = provider
  const challenge = { code_challenge: challengeOf(codeVerifier), code_challenge_method: 'S256' }

  try {
    const { client, configuration, metadata } = await discover()
    return client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope,
      state,
      nonce,
      ...(pkce ? challenge : {}),
      ...provider.parameters(hints, metadata),
    })
  } catch (error) {
    throw unreachable(error)
  }
}

async function identify(connection: Connection, response: AuthorizeResponse): Promise<SignIn> {
  const { provider } = connection
  let stage: SignInStage = 'token_exchange'

  try {
    return await withinDeadline(connection, async (found) => {
      const tokens = await exchange(provider, found, response)
      const idToken: Claims = tokens.claims() ?? {}

      stage = 'userinfo'
      const claims = await readClaims(provider, found, tokens.access_token, idToken)
      const parsed = provider.readProfile(claims, idToken, response.displayName ?? null)
      if (!parsed.ok) {
        return { outcome: 'failed', stage, errorCode: parsed.fault }
      }

      const hostedDomain = provider.hostedDomain?.(idToken) ?? null
      return { outcome: 'identified', profile: parsed.profile, hostedDomain }
    })
  } catch (error) {
    return outcomeOf(stage, error)
  }
}

/** What an error at this stage means for the user: a denial, or a failure. */
function outcomeOf(stage: SignInStage, error: unknown): SignIn {
  if (DENIALS.includes(authorizationError(error) ?? '')) {
    return { outcome: 'denied' }
  }
  return {
    outcome: 'failed',
    stage,
    errorCode: errorCode(stage, error),
    providerText: errorDescription(error),
    cause: loggable(error),
  }
}

async function checkClient(connection: Connection, redirectUri: string): Promise<ClientCheck> {
  const currentUrl = new URL(redirectUri)

  try {
    await withinDeadline(connection, (found) => {
      const state = found.client.randomState()
      const parameters = new URLSearchParams({
        state,
        // The client expects it from a provider that always sends it (RFC 9207).
        iss: found.metadata.issuer,
        code: 'gatehouse-checks-its-client',
      })
      currentUrl.search = parameters.toString()

      const response = { currentUrl, state, nonce: state, codeVerifier: state }
      return exchange(connection.provider, found, response)
    })
    return { accepted: false, errorCode: 'provider_error' }
  } catch (error) {
    const code = errorCode('token_exchange', error)
    // The provider looked at the code, so it accepted the client.
    return code === 'invalid_grant' ? { accepted: true } : { accepted: false, errorCode: code }
  }
}

/** The deadline is for the network: loading the client takes none of it. */
async function withinDeadline<T>(
  { sender, discover }: Connection,
  work: (discovered: Discovered) => Promise<T>,
): Promise<T> {
  await loadClient()
  return sender.withinDeadline(async (deadline) => {
    const discovered = await rejectAfter(deadline, discover())
    return work(discovered)
  })
}

/**
 * Prevents login CSRF (state), code injection (PKCE) and ID token replay (nonce). Issuer, audience and times are checked
 * too; the signature is not, because the token came from the token endpoint over TLS (OpenID Connect Core, section
 * 3.1.3.7, item 6).
 */
function exchange(
  { pkce = true }: OpenIdProvider,
  { client, configuration }: Discovered,
  { currentUrl, state, nonce, codeVerifier }: AuthorizeResponse,
) {
  return client.authorizationCodeGrant(configuration, currentUrl, {
    expectedState: state,
    expectedNonce: nonce,
    ...(pkce ? { pkceCodeVerifier: codeVerifier } : {}),
    idTokenExpected: true,
  })
}

async function readClaims(
  { claimsFrom = 'userinfo' }: OpenIdProvider,
  { client, configuration, metadata }: Discovered,
  accessToken: string,
  idToken: Claims,
): Promise<Claims> {
  if (claimsFrom === 'id_token' || metadata.userinfo_endpoint === undefined) {
    return idToken
  }

  // Prevents token substitution: userinfo must return the subject of the ID token (OpenID Connect Core, section 5.3.2).
  const subject = String(idToken.sub ?? '')
  return client.fetchUserInfo(configuration, accessToken, subject)
}

const unreachable = (error: unknown): Unavailable =>
  new Unavailable('The identity provider cannot be reached right now.', {
    cause: loggable(error),
  })

/** Rejects at the deadline. A shared discovery has the deadline of the sign-in that started it, which may be later. */
function rejectAfter<T>(deadline: AbortSignal, work: Promise<T>): Promise<T> {
  const timeout = new Promise<never>((_, reject) => {
    deadline.addEventListener('abort', () => reject(new ProviderFault('timeout')), {
      once: true,
    })
  })
  return Promise.race([work, timeout])
}

type Client = typeof import('openid-client')

interface ClientAtProvider {
  readonly issuer: string
  readonly clientId: string
  /** Called for each request: Apple's is signed each time. */
  clientSecret(): string
  /** Whether its endpoints may use http although the issuer does not: in development they are on this machine. */
  readonly insecure?: boolean | undefined
}

interface Discovered {
  readonly client: Client
  readonly configuration: Configuration
  readonly metadata: ServerMetadata
}

let loaded: Promise<Client> | undefined

/** Loads the client at the first sign-in, because a start does not need it. Tries again after a failure. */
function loadClient(): Promise<Client> {
  loaded ??= import('openid-client').catch((error: unknown) => {
    loaded = undefined
    throw error
  })
  return loaded
}

/** Fetches the discovery document once; concurrent callers share the request. A failure is not cached. */
function discovery(provider: ClientAtProvider, fetch: CustomFetch): () => Promise<Discovered> {
  const issuer = new URL(provider.issuer)
  const isLocal = issuer.protocol === 'http:' && isLoopback(issuer)
  // Prevents sending the client secret and the tokens in clear text (RFC 6749, section 3.2).
  if (issuer.protocol !== 'https:' && !isLocal) {
    throw new Error(
      `The identity provider must use https: ${provider.issuer}. Only one on this machine may use http.`,
    )
  }
  let discovered: Promise<Discovered> | undefined

  async function readMetadata(): Promise<Discovered> {
    const client = await loadClient()
    // Not Basic: it form-encodes the dots and dashes of Google's client ids (RFC 6749, section 2.3.1).
    const authentication: ClientAuth = (...request) =>
      client.ClientSecretPost(provider.clientSecret())(...request)
    const options = {
      [client.customFetch]: fetch,
      execute: isLocal || provider.insecure ? [client.allowInsecureRequests] : [],
    }
    const configuration = await client.discovery(
      issuer,
      provider.clientId,
      undefined,
      authentication,
      options,
    )
    return { client, configuration, metadata: configuration.serverMetadata() }
  }

  return () => {
    discovered ??= readMetadata().catch((error: unknown) => {
      discovered = undefined
      throw error
    })
    return discovered
  }
}
