import type { CallbackErrorCode } from './callback-error.ts'
import { takeNonce } from './login-nonce.ts'
import { problemOfReturnTo } from './return-to.ts'
import type { TokenPair } from './types.ts'

export interface CallbackQuery {
  readonly outcome: { readonly tokens: TokenPair } | { readonly error: CallbackErrorCode }
  /** Without the nonce. null when there is none that may be followed. */
  readonly returnTo: string | null
  readonly nonce: string | null
}

/** What a cookie can hold, and what tokens are made of. */
const TOKEN = /^[\w.~-]{1,4000}$/

export function readCallbackQuery(url: string): CallbackQuery {
  const query = new URL(url).searchParams
  const raw = only(query, 'return_to')
  const taken = raw === null || problemOfReturnTo(raw) !== null ? null : takeNonce(raw)
  return {
    outcome: outcomeOf(query),
    // Again, because what is left is not what was looked at.
    returnTo: taken === null || problemOfReturnTo(taken.returnTo) !== null ? null : taken.returnTo,
    nonce: taken?.nonce ?? null,
  }
}

function outcomeOf(query: URLSearchParams): CallbackQuery['outcome'] {
  if (query.has('error')) return { error: only(query, 'error') === 'access_denied' ? 'access_denied' : 'login_failed' }
  const accessToken = only(query, 'access_token')
  const refreshToken = only(query, 'refresh_token')
  if (accessToken === null || refreshToken === null) return { error: 'missing_tokens' }
  if (!TOKEN.test(accessToken) || !TOKEN.test(refreshToken)) return { error: 'invalid_tokens' }
  return { tokens: { accessToken, refreshToken } }
}

/** A parameter that comes twice was tampered with: which one is meant cannot be known. */
function only(query: URLSearchParams, name: string): string | null {
  const [first, ...more] = query.getAll(name)
  return first === undefined || first === '' || more.length > 0 ? null : first
}
