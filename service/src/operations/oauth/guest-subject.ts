import type { Subject } from '../../domain/oauth/grant.ts'
import { mintSecret } from '../../domain/tokens/secret.ts'
import type { Context } from '../context.ts'

/** A guest is whoever has this cookie: the one this browser had before, or a new one. */
export function guestSubject(
  ctx: Pick<Context, 'keyring' | 'random'>,
  earlier: string | null,
): { readonly secret: string; readonly subject: Subject } {
  const secret = earlier ?? mintSecret('', ctx.random)
  return { secret, subject: { kind: 'guest', guestHash: ctx.keyring.hash('guest', secret) } }
}
