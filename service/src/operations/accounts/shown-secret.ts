import type { AccountSession } from '../../domain/accounts/account.ts'
import type { Duration } from '../../domain/time.ts'
import { seal, unseal } from '../../domain/tokens/seal.ts'
import type { Context } from '../context.ts'

/** As long as a repeated decision gets its result again (decision 43). */
export const SHOWN_MS: Duration = 60_000

/** Says what the secret is of, so that no other page shows it. */
const context = ({ id }: AccountSession, about: string): string => `shown\0${id}\0${about}`

/**
 * Seals a new secret for the page that shows it after a redirect: only this session can open it there, for a minute. A
 * reload of that page repeats no POST.
 */
export const sealForDisplay = (
  ctx: Pick<Context, 'keyring' | 'random' | 'now'>,
  session: AccountSession,
  about: string,
  secret: string,
): Uint8Array => seal(ctx.keyring, context(session, about), JSON.stringify([ctx.now() + SHOWN_MS, secret]), ctx.random)

/** null: sealed for another session or page, or more than a minute ago. */
export function openForDisplay(
  ctx: Pick<Context, 'keyring' | 'now'>,
  session: AccountSession,
  about: string,
  sealed: Uint8Array,
): string | null {
  const text = unseal(ctx.keyring, context(session, about), sealed)
  if (text === null) return null
  const [until, secret] = JSON.parse(text) as [number, string]
  return ctx.now() < until ? secret : null
}
