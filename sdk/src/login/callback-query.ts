import type { TokenPair } from '../types.ts'
import type { CallbackErrorCode } from './callback-error.ts'
import { extractNonce } from './login-cookies.ts'
import { returnToProblem } from './redirect.ts'

export interface CallbackQuery {
  readonly outcome: { readonly tokens: TokenPair } | { readonly error: CallbackErrorCode }
  /** Without the nonce. null when `return_to` is missing or is not a path inside the app. */
  readonly returnTo: string | null
  readonly nonce: string | null
}

/** The characters of both token kinds, all valid in a cookie value. */
const TOKEN = /^[\w.~-]{1,4000}$/

export function readCallbackQuery(url: string): CallbackQuery {
  const query = new URL(url).searchParams
  const raw = single(query, 'return_to')
  const extracted = raw === null || returnToProblem(raw) !== null ? null : extractNonce(raw)
  const path = extracted?.returnTo ?? null
  return {
    outcome: outcomeOf(query),
    // Checked again: removing the nonce changed the path.
    returnTo: path === null || returnToProblem(path) !== null ? null : path,
    nonce: extracted?.nonce ?? null,
  }
}

function outcomeOf(query: URLSearchParams): CallbackQuery['outcome'] {
  if (query.has('error')) {
    return { error: single(query, 'error') === 'access_denied' ? 'access_denied' : 'login_failed' }
  }
  const accessToken = single(query, 'access_token')
  const refreshToken = single(query, 'refresh_token')
  if (accessToken === null || refreshToken === null) {
    return { error: 'missing_tokens' }
  }
  if (!TOKEN.test(accessToken) || !TOKEN.test(refreshToken)) {
    return { error: 'invalid_tokens' }
  }
  return { tokens: { accessToken, refreshToken } }
}

/** A repeated parameter counts as missing: it is ambiguous, and the service never sends one. */
function single(query: URLSearchParams, name: string): string | null {
  const [first, ...more] = query.getAll(name)
  return first === undefined || first === '' || more.length > 0 ? null : first
}
