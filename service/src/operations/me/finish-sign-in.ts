import { ME_SESSION_MS } from '../../domain/me/person.ts'
import { mintSecret } from '../../domain/tokens/secret.ts'
import { identifyVisitor } from '../accounts/finish-sign-in.ts'
import { personProviderAt } from '../accounts/visitor-provider.ts'
import type { Context } from '../context.ts'
import { loginOver } from '../login/attempt-errors.ts'

type Returned = Parameters<typeof identifyVisitor>[1]

interface MeReturned extends Returned {
  /** The path that the response arrived at. */
  readonly callbackPath: string
  readonly previousSession: string | null
}

/**
 * Completes a sign-in to `/me` and returns the secret of its session, for the cookie. It creates no account and no user.
 * The session is always new and replaces the browser's previous one, which prevents session fixation.
 */
export async function finishMeSignIn(
  ctx: Context,
  { previousSession, callbackPath, ...returned }: MeReturned,
): Promise<string> {
  const provider = personProviderAt(ctx, callbackPath)
  if (provider === null) throw loginOver()
  const { profile } = await identifyVisitor(ctx, returned, provider)
  const { issuer, subject, email, name } = profile
  const now = ctx.now()
  const session = mintSecret('', ctx.random)
  await ctx.stores.transaction(async ({ meSessions }) => {
    if (previousSession !== null) await meSessions.end(ctx.keyring.hashes('me-session', previousSession))
    const person = { issuer, subject, email, name, createdAt: now, expiresAt: now + ME_SESSION_MS }
    await meSessions.add(ctx.keyring.hash('me-session', session), person)
  })
  return session
}
