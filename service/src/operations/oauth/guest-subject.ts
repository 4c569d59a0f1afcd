import type { Subject } from '../../domain/oauth/grant.ts'
import type { Context } from '../context.ts'

/**
 * A guest is identified by a cookie: the browser's existing one, or a new one. The new one is derived from the approval, so
 * that a decision that is sent twice, both times without the cookie, is made by one guest (decision 43).
 */
export function guestSubject(
  ctx: Pick<Context, 'keyring'>,
  cookie: string | null,
  { approvalId, browser }: { readonly approvalId: string; readonly browser: string },
): { readonly secret: string; readonly subject: Subject } {
  const secret = cookie ?? ctx.keyring.mac('guest-cookie', `${approvalId}\0${browser}`)
  return { secret, subject: { kind: 'guest', guestHash: ctx.keyring.hash('guest', secret) } }
}
