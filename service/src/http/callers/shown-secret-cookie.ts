import { openForDisplay, SHOWN_MS, sealForDisplay } from '../../operations/accounts/account-session.ts'
import type { Context } from '../../operations/context.ts'
import type { Call } from '../dependencies.ts'
import type { SignedInOwner } from './account-session.ts'
import { type CookieKind, readSealedCookie, setSealedCookie } from './cookies.ts'

const SHOWN: CookieKind = { name: 'gatehouse_shown', seconds: SHOWN_MS / 1_000 }

/** Keeps a new secret for the page that a redirect leads to: sealed, in this browser, for a minute. No URL and no row has it. */
export const keepForDisplay = (
  ctx: Context,
  c: Call,
  { session }: SignedInOwner,
  about: string,
  secret: string,
): void => setSealedCookie(c, ctx.baseUrl, SHOWN, sealForDisplay(ctx, session, about, secret))

/** null: there is none, or it is another's. */
export function keptForDisplay(ctx: Context, c: Call, { session }: SignedInOwner, about: string): string | null {
  const sealed = readSealedCookie(c, ctx.baseUrl, SHOWN)
  return sealed === null ? null : openForDisplay(ctx, session, about, sealed)
}
