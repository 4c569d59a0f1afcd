import type {
  AuthorizeResponse,
  IdentityProvider,
  SignIn,
  SignInStage,
} from '../../domain/login/identity-provider.ts'
import { readProfile } from '../../domain/login/profile.ts'
import { challengeOf } from '../../domain/oauth/token.ts'
import { boundedFetch, type ProviderFetch, RESPONSE_MAX_BYTES } from '../bounded-fetch.ts'
import { keepAliveFetch } from '../keep-alive-fetch.ts'
import {
  errorCode,
  limitSignIns,
  loggable,
  ProviderFault,
  providerErrorCode,
} from '../sign-in-error.ts'

interface GithubConfig {
  readonly clientId: string
  readonly clientSecret: string
  readonly fetch?: ProviderFetch | undefined
  /** Where the browser and the exchange go, in development. */
  readonly web?: string | undefined
  readonly api?: string | undefined
}

const DEADLINE_MS = 8_000
/** The issuer of the users' identities. The stand-in in development has it too, although it is in another place. */
const ISSUER = 'https://github.com'

/** GitHub's own words for an error, in the words of OAuth. */
const ERRORS: Readonly<Record<string, string>> = {
  incorrect_client_credentials: 'invalid_client',
  bad_verification_code: 'invalid_grant',
}

/** GitHub speaks OAuth without OpenID: no discovery, no ID token, so the profile comes from its API over TLS. */
export function github(config: GithubConfig): IdentityProvider {
  const { clientId, clientSecret, fetch = keepAliveFetch(RESPONSE_MAX_BYTES) } = config
  const { web = ISSUER, api = 'https://api.github.com' } = config

  async function request(
    deadline: AbortSignal,
    url: string,
    headers: Record<string, string>,
    form?: URLSearchParams,
  ) {
    const response = await boundedFetch(fetch, deadline)(url, {
      method: form === undefined ? 'GET' : 'POST',
      // GitHub refuses requests without a User-Agent, and answers a form unless JSON is asked for.
      headers: { Accept: 'application/json', 'User-Agent': 'gatehouse', ...headers },
      body: form,
      redirect: 'manual',
    })
    if (!response.ok) {
      throw new ProviderFault('provider_error')
    }
    return parsed(await response.text())
  }

  async function exchange(
    deadline: AbortSignal,
    code: string,
    redirectUri: string,
    codeVerifier: string,
  ) {
    const form = new URLSearchParams({
      client_id: clientId,
      client_secret: clientSecret,
      code,
      redirect_uri: redirectUri,
      code_verifier: codeVerifier,
    })
    const answer = await request(deadline, `${web}/login/oauth/access_token`, {}, form)
    // An error has status 200.
    const { error, access_token } = isObject(answer) ? answer : {}
    if (typeof error === 'string') {
      throw new ProviderFault(providerErrorCode(ERRORS[error] ?? error))
    }
    if (typeof access_token !== 'string') {
      throw new ProviderFault('malformed_answer')
    }
    return access_token
  }

  async function identify({ currentUrl, codeVerifier }: AuthorizeResponse): Promise<SignIn> {
    const deadline = AbortSignal.timeout(DEADLINE_MS)
    let stage: SignInStage = 'token_exchange'
    try {
      const query = currentUrl.searchParams
      const error = query.get('error')
      if (error === 'access_denied') {
        return { outcome: 'denied' }
      }
      if (error !== null) {
        throw new ProviderFault(providerErrorCode(error))
      }
      const code = query.get('code')
      if (code === null) {
        throw new ProviderFault('malformed_answer')
      }

      const redirectUri = currentUrl.origin + currentUrl.pathname
      const token = await exchange(deadline, code, redirectUri, codeVerifier)

      stage = 'userinfo'
      const headers = { Authorization: `Bearer ${token}`, 'X-GitHub-Api-Version': '2022-11-28' }
      const [user, emails] = await Promise.all([
        request(deadline, `${api}/user`, headers),
        request(deadline, `${api}/user/emails`, headers),
      ])
      const read = readProfile(ISSUER, claimsOf(user, emails))
      if (!read.ok) {
        return { outcome: 'failed', stage, errorCode: read.fault }
      }
      return { outcome: 'identified', profile: read.profile, hostedDomain: null }
    } catch (error) {
      return {
        outcome: 'failed',
        stage,
        errorCode: errorCode(stage, error),
        cause: loggable(error),
      }
    }
  }

  return {
    issuer: async () => ISSUER,
    isIssuer: (issuer) => issuer === ISSUER,

    async authorizeUrl({
      redirectUri,
      state,
      codeVerifier,
      hints: { prompt = 'select_account', loginHint } = {},
    }) {
      const url = new URL(`${web}/login/oauth/authorize`)
      url.search = new URLSearchParams({
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: 'read:user user:email',
        state,
        code_challenge: challengeOf(codeVerifier),
        code_challenge_method: 'S256',
        ...(prompt === 'auto' ? {} : { prompt }),
        ...(loginHint ? { login: loginHint } : {}),
      }).toString()
      return url
    },

    signIn: limitSignIns(identify),

    async checkClient(redirectUri) {
      const deadline = AbortSignal.timeout(DEADLINE_MS)
      const code = 'gatehouse-checks-its-client'
      const codeVerifier = '0'.repeat(43)
      try {
        await exchange(deadline, code, redirectUri, codeVerifier)
        return { accepted: false, errorCode: 'provider_error' }
      } catch (error) {
        const fault = errorCode('token_exchange', error)
        // The provider looked at the code, so it accepted the client.
        return fault === 'invalid_grant'
          ? { accepted: true }
          : { accepted: false, errorCode: fault }
      }
    },
  }
}

/**
 * Identifies a user by the numeric id, because a login name can be given up and taken by another person. Takes the email
 * address from the list, never from the public profile, which is any text.
 */
function claimsOf(user: unknown, emails: unknown): Record<string, unknown> {
  if (!isObject(user) || !Array.isArray(emails)) {
    throw new ProviderFault('malformed_answer')
  }
  const primary = emails.filter(isObject).find((entry) => entry.primary === true)
  return {
    sub: Number.isSafeInteger(user.id) ? String(user.id) : undefined,
    email: primary?.email,
    email_verified: primary?.verified,
    name: typeof user.name === 'string' && user.name !== '' ? user.name : user.login,
    picture: user.avatar_url,
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ProviderFault('malformed_answer')
  }
}
