import { ApiError } from '../../domain/api-error.ts'
import type { FoundKey } from '../../domain/stores/stores.ts'
import type { Context } from '../../operations/context.ts'
import { authenticateKey } from '../../operations/tenants/authenticate.ts'
import type { Call } from '../dependencies.ts'

const BEARER = /^Bearer(?: +(.*))?$/i
const CREDENTIAL = /^[A-Za-z0-9._~+/=-]+$/

type Bearer =
  | { readonly ok: true; readonly token: string }
  /** `missing`: no token after the scheme, or another scheme. `malformed`: characters outside RFC 6750's b64token. */
  | { readonly ok: false; readonly problem: 'missing' | 'malformed' }

/** The only parser of Authorization headers (RFC 6750, section 2.1). Each caller decides what an absent header means. */
export function parseBearer(authorization: string): Bearer {
  const token = BEARER.exec(authorization.trim())?.[1] ?? ''
  if (token === '') {
    return { ok: false, problem: 'missing' }
  }
  return CREDENTIAL.test(token) ? { ok: true, token } : { ok: false, problem: 'malformed' }
}

/**
 * The bearer credential of a request. It is accepted in this header only, because URLs end up in logs (RFC 6750, section
 * 2.3). Another scheme counts as a missing credential (RFC 6750, section 3.1).
 */
export function requireBearer(c: Call, credentialName: string): string {
  const read = parseBearer(c.req.header('authorization') ?? '')
  if (read.ok) {
    return read.token
  }
  if (read.problem === 'missing') {
    throw new ApiError('missingCredentials', `Send ${credentialName} as Authorization: Bearer <…>.`)
  }
  throw new ApiError(
    'invalidCredentials',
    `What follows Bearer is no credential: it has characters that none of ours has. Send ${credentialName}.`,
  )
}

/** Authenticates the management key (`svc_man_…`) and returns it with its tenant. */
export const managementKey = async (ctx: Context, c: Call): Promise<FoundKey> =>
  authenticateKey(
    ctx,
    requireBearer(c, 'the management key (coh_management_key in the .service file)'),
    'management',
  )
