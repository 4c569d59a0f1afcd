import { Refusal } from '../../domain/refusal.ts'
import type { Call } from '../surface.ts'

const BEARER = /^Bearer +([A-Za-z0-9._~+/=-]+)$/i

/** The bearer credential of a request. Ours travel in this header and nowhere else. */
export function bearer(c: Call, whatItTakes: string): string {
  const header = c.req.header('authorization')
  if (header === undefined || header.trim() === '') {
    throw new Refusal('missingCredentials', `Send ${whatItTakes} as Authorization: Bearer <…>.`)
  }
  const credential = BEARER.exec(header)?.[1]
  if (credential === undefined) {
    throw new Refusal('invalidCredentials', `The Authorization header is not Bearer <…>. Send ${whatItTakes} in it.`)
  }
  return credential
}
