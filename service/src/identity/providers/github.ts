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
/** Names the users; the stand-in in development has the same ids in another place. */
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

  async function read(
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
    const answer = await read(deadline, `${web}/login/oauth/access_token`, {}, form)
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
      const token = await exchange(
        deadline,
        code,
        currentUrl.origin + currentUrl.pathname,
        codeVerifier,
      )
      stage = 'userinfo'
      const headers = { Authorization: `Bearer ${token}`, 'X-GitHub-Api-Version': '2022-11-28' }
      const [user, emails] = await Promise.all([
        read(deadline, `${api}/user`, headers),
        read(deadline, `${api}/user/emails`, headers),
      ])
      const profile = readProfile(ISSUER, claimsOf(user, emails))
      return profile.ok
        ? { outcome: 'identified', profile: profile.profile, hostedDomain: null }
        : { outcome: 'failed', stage, errorCode: profile.fault }
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
      try {
        await exchange(
          AbortSignal.timeout(DEADLINE_MS),
          'gatehouse-checks-its-client',
          redirectUri,
          '0'.repeat(43),
        )
        return { accepted: false, errorCode: 'provider_error' }
      } catch (error) {
        const code = errorCode('token_exchange', error)
        return code === 'invalid_grant' ? { accepted: true } : { accepted: false, errorCode: code }
      }
    },
  }
}

/**
 * The numeric id, because a login name can be given up and taken by another person. The email address from the list, never
 * from the public profile, which is any text.
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
