import { Refusal } from '../../domain/refusal.ts'
import type { Call } from '../surface.ts'

const BEARER = /^Bearer(?: +(.*))?$/i
const CREDENTIAL = /^[A-Za-z0-9._~+/=-]+$/

/**
 * The bearer credential of a request. Ours travel in this header and nowhere else. Another scheme is no bearer at all:
 * whoever sends one did not know what to send (RFC 6750, section 3.1).
 */
export function bearer(c: Call, whatItTakes: string): string {
  const credential = BEARER.exec(c.req.header('authorization')?.trim() ?? '')?.[1] ?? ''
  if (credential === '') throw new Refusal('missingCredentials', `Send ${whatItTakes} as Authorization: Bearer <…>.`)
  if (CREDENTIAL.test(credential)) return credential
  throw new Refusal(
    'invalidCredentials',
    `What follows Bearer is no credential: it has characters that none of ours has. Send ${whatItTakes}.`,
  )
}
