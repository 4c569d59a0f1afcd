import type { TokenPair } from '../types.ts'
import type { CallbackErrorCode } from './callback-error.ts'
import { type CallbackQuery, readCallbackQuery } from './callback-query.ts'

export interface LoginCode {
  readonly code: string
  /** Names the cookie with the verifier. */
  readonly hint: string
}

export interface ServerCallback extends Omit<CallbackQuery, 'outcome'> {
  readonly outcome:
    | { readonly tokens: TokenPair }
    | { readonly code: LoginCode }
    | { readonly error: CallbackErrorCode }
}

const CODE = /^svc_ac_([\w-]{8})_[\w-]{43}$/

/** The query of a callback that may have a one-time code. In a file of its own: pages without a server have no codes. */
export function readServerCallback(url: string): ServerCallback {
  const callback = readCallbackQuery(url)
  const query = new URL(url).searchParams
  if (query.has('error') || !query.has('code')) return callback
  const codes = query.getAll('code')
  const [code, hint] = CODE.exec(codes.length === 1 ? (codes[0] ?? '') : '') ?? []
  const outcome =
    code === undefined || hint === undefined ? ({ error: 'invalid_tokens' } as const) : { code: { code, hint } }
  return { ...callback, outcome }
}
