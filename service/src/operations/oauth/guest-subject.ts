import type { Subject } from '../../domain/oauth/grant.ts'
import { mintSecret } from '../../domain/tokens/secret.ts'
import type { Context } from '../context.ts'

/** A guest is identified by a cookie: the browser's existing one, or a new one. */
export function guestSubject(
  ctx: Pick<Context, 'keyring' | 'random'>,
  cookie: string | null,
): { readonly secret: string; readonly subject: Subject } {
  const secret = cookie ?? mintSecret('', ctx.random)
  return { secret, subject: { kind: 'guest', guestHash: ctx.keyring.hash('guest', secret) } }
}
