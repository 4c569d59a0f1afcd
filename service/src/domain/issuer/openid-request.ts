import { EMAIL_MAX_CHARACTERS } from '@gatehouse-auth/contract'

/**
 * What a login remembers of the OpenID request that it began with (OpenID Connect Core, section 3.1.2.1). An attempt and its
 * one-time code keep it as JSON.
 */
export interface OpenIdRequest {
  /** As it was sent: the token request must repeat it byte for byte (RFC 6749, section 4.1.3). */
  readonly redirectUri: string
  /** Returned unchanged. */
  readonly state: string | null
  /** Put into the ID token. */
  readonly nonce: string | null
  /** Those of `OPENID_SCOPES` that were asked for, separated by spaces. */
  readonly scope: string
  /** The app wants the consent page, also if a consent is remembered. */
  readonly asksConsent: boolean
}

/** Errors that the app gets in the redirect (RFC 6749, section 4.1.2.1; OpenID Connect Core, section 3.1.2.6). */
export type OpenIdRedirectError =
  | 'invalid_request'
  | 'unsupported_response_type'
  | 'access_denied'
  | 'server_error'
  | 'temporarily_unavailable'
  | 'login_required'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'registration_not_supported'

/** `openid` asks for an ID token. The others change nothing: every token has the name and address. */
export const OPENID_SCOPES = ['openid', 'profile', 'email', 'offline_access'] as const

/** Values of `prompt` that change something. `login`: every sign-in is a new one, with the provider's account chooser. */
export const PROMPTS = ['none', 'login', 'consent', 'select_account'] as const

/** The parameters of a request, in the order in which they were sent. */
export type SentParameters = readonly (readonly [name: string, value: string])[]

/** What a valid request asks for. */
export interface ParsedRequest {
  readonly request: OpenIdRequest
  /** The S256 challenge; null: the client proves itself by its key. */
  readonly challenge: string | null
  /** Our extension `provider`; null: the person chooses. */
  readonly provider: string | null
  /** Our extension `invitation`: the secret of one. */
  readonly invitation: string | undefined
  readonly prompt: 'select_account' | undefined
  readonly loginHint: string | undefined
  readonly uiLocales: string | undefined
}

interface Refusal {
  readonly ok: false
  readonly error: OpenIdRedirectError
  readonly problem: string
}

type RequestRead = ({ readonly ok: true } & ParsedRequest) | Refusal

const STATE_MAX_CHARACTERS = 2_048

/** Together in the redirect, percent-encoded: a server may refuse a longer request line. */
const REDIRECT_MAX_CHARACTERS = 7_000

/** RFC 6749, appendix A.5. */
const VISIBLE = /^[\x20-\x7e]*$/

/** A SHA-256 hash in base64url (RFC 7636, section 4.2). */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/

/** The value of a parameter that was sent once; an empty one counts as absent (RFC 6749, section 3.1). */
export function sentOnce(sent: SentParameters, name: string): string | undefined {
  const values = sent.filter(([each]) => each === name)
  const [only] = values
  return values.length === 1 && only?.[1] !== '' ? only?.[1] : undefined
}

/** The `state` that an error can return; null: there is none, or it can't be in a redirect. */
export function returnableState(sent: SentParameters): string | null {
  const state = sentOnce(sent, 'state')
  return state !== undefined && textProblem('state', state) === null ? state : null
}

type Values = (name: string) => string | undefined

/** In this order. Each returns what is wrong, or null. */
const CHECKS: readonly ((value: Values) => Refusal | null)[] = [
  checkUnsupported,
  checkResponse,
  checkTexts,
  checkMaxAge,
  checkChallenge,
  checkPrompt,
]

/** Checks everything but client and redirect URI, whose errors must not be redirected. Unknown parameters are ignored. */
export function readOpenIdRequest(sent: SentParameters, redirectUri: string): RequestRead {
  const names = sent.map(([name]) => name)
  if (new Set(names).size < names.length) {
    return refused('invalid_request', 'A parameter was sent twice.')
  }

  const value: Values = (name) => sentOnce(sent, name)
  for (const check of CHECKS) {
    const refusal = check(value)
    if (refusal !== null) {
      return refusal
    }
  }

  const state = value('state') ?? null
  if (redirectUri.length + encodeURIComponent(state ?? '').length > REDIRECT_MAX_CHARACTERS) {
    return refused('invalid_request', 'redirect_uri and state are too long together.')
  }

  const scopes = words(value('scope'))
  const prompts = words(value('prompt'))
  const isNewSignIn = prompts.includes('login') || prompts.includes('select_account')
  return {
    ok: true,
    request: {
      redirectUri,
      state,
      nonce: value('nonce') ?? null,
      scope: OPENID_SCOPES.filter((scope) => scopes.includes(scope)).join(' '),
      asksConsent: prompts.includes('consent'),
    },
    challenge: value('code_challenge') ?? null,
    provider: value('provider') ?? null,
    invitation: value('invitation'),
    prompt: isNewSignIn ? 'select_account' : undefined,
    loginHint: readableHint(value('login_hint')),
    uiLocales: value('ui_locales'),
  }
}

const words = (text = ''): string[] => text.split(' ').filter((word) => word !== '')

/** Libraries also send other things than an address as a hint; a longer one is none. */
const readableHint = (hint: string | undefined): string | undefined =>
  hint !== undefined && hint.length > EMAIL_MAX_CHARACTERS ? undefined : hint

const refused = (error: OpenIdRedirectError, problem: string): Refusal => ({
  ok: false,
  error,
  problem,
})

function checkUnsupported(value: Values): Refusal | null {
  if (value('request') !== undefined) {
    return refused('request_not_supported', 'Send the parameters themselves, not a request object.')
  }
  if (value('request_uri') !== undefined) {
    return refused('request_uri_not_supported', 'Send the parameters themselves, no request_uri.')
  }
  if (value('registration') !== undefined) {
    return refused('registration_not_supported', 'The client is the project; none is registered.')
  }
  return null
}

function checkResponse(value: Values): Refusal | null {
  const responseType = value('response_type')
  if (responseType === undefined) {
    return refused('invalid_request', 'response_type is missing. Send response_type=code.')
  }
  if (responseType !== 'code') {
    return refused('unsupported_response_type', 'The response type here is code.')
  }
  const responseMode = value('response_mode') ?? 'query'
  return responseMode === 'query'
    ? null
    : refused('invalid_request', 'The response mode here is query.')
}

function checkTexts(value: Values): Refusal | null {
  const problem = textProblem('state', value('state')) ?? textProblem('nonce', value('nonce'))
  return problem === null ? null : refused('invalid_request', problem)
}

function textProblem(name: string, text = ''): string | null {
  if (text.length > STATE_MAX_CHARACTERS) {
    return `${name} is longer than ${STATE_MAX_CHARACTERS} characters.`
  }
  return VISIBLE.test(text) ? null : `${name} has other characters than visible ASCII.`
}

/** Every sign-in is a new one, so it is never too old. */
function checkMaxAge(value: Values): Refusal | null {
  return /^\d{1,10}$/.test(value('max_age') ?? '0')
    ? null
    : refused('invalid_request', 'max_age is a number of seconds.')
}

function checkChallenge(value: Values): Refusal | null {
  const challenge = value('code_challenge')
  const method = value('code_challenge_method')
  if (challenge === undefined) {
    return method === undefined
      ? null
      : refused('invalid_request', 'code_challenge_method came without code_challenge.')
  }
  // Without a method RFC 7636 means `plain`, which is refused.
  if (method !== 'S256') {
    return refused('invalid_request', 'Send code_challenge_method=S256.')
  }
  return CHALLENGE.test(challenge)
    ? null
    : refused('invalid_request', 'code_challenge is a SHA-256 hash in base64url, 43 characters.')
}

function checkPrompt(value: Values): Refusal | null {
  const prompts = words(value('prompt'))
  if (!prompts.includes('none')) {
    return null
  }
  return prompts.length > 1
    ? refused('invalid_request', 'prompt=none allows no other value beside it.')
    : refused('login_required', 'The person must sign in: this service keeps no session.')
}

/** In the place of a challenge: no verifier fits it, so the code is worth something only with the application key. */
export const NO_CHALLENGE = 'no-challenge'

/** As it is stored. Two requests are the same if these texts are. */
export const openIdText = (request: OpenIdRequest | null): string | null =>
  request === null
    ? null
    : JSON.stringify([
        request.redirectUri,
        request.state,
        request.nonce,
        request.scope,
        request.asksConsent,
      ])

export function openIdFromText(text: string | null): OpenIdRequest | null {
  if (text === null) {
    return null
  }
  const [redirectUri, state, nonce, scope, asksConsent] = JSON.parse(text) as [
    string,
    string | null,
    string | null,
    string,
    boolean,
  ]
  return { redirectUri, state, nonce, scope, asksConsent }
}
