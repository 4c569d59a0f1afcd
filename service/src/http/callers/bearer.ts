import { ApiError } from '../../domain/api-error.ts'
import type { Call } from '../dependencies.ts'

const BEARER = /^Bearer(?: +(.*))?$/i
const CREDENTIAL = /^[A-Za-z0-9._~+/=-]+$/

export type Bearer =
  | { readonly ok: true; readonly token: string }
  /** `missing`: nothing after the scheme, or another scheme. `malformed`: characters that no credential of ours has. */
  | { readonly ok: false; readonly problem: 'missing' | 'malformed' }

/** The only parser of an Authorization header (RFC 6750, section 2.1). What an absent header means, callers decide. */
export function parseBearer(authorization: string): Bearer {
  const token = BEARER.exec(authorization.trim())?.[1] ?? ''
  if (token === '') return { ok: false, problem: 'missing' }
  return CREDENTIAL.test(token) ? { ok: true, token } : { ok: false, problem: 'malformed' }
}

/**
 * The requireBearer credential of a request. Ours travel in this header and nowhere else. Another scheme is no requireBearer at all:
 * whoever sends one did not know what to send (RFC 6750, section 3.1).
 */
export function requireBearer(c: Call, whatItTakes: string): string {
  const read = parseBearer(c.req.header('authorization') ?? '')
  if (read.ok) return read.token
  if (read.problem === 'missing') {
    throw new ApiError('missingCredentials', `Send ${whatItTakes} as Authorization: Bearer <…>.`)
  }
  throw new ApiError(
    'invalidCredentials',
    `What follows Bearer is no credential: it has characters that none of ours has. Send ${whatItTakes}.`,
  )
}
