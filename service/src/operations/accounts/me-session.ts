import { type Identity, ME_SESSION_MS, type MeSession } from '../../domain/accounts/person.ts'
import type { TenantId } from '../../domain/ids.ts'
import type { Author } from '../../domain/tenants/audit.ts'
import { mintSecret } from '../../domain/tokens/secret.ts'
import type { Context } from '../context.ts'
import { loginOver } from '../login/attempts.ts'
import { endEverySession } from '../users/user-sessions.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import { APPS_PER_PAGE, findOwnUser, unlessGone } from './me-apps.ts'
import { identifyVisitor, personProviderAt } from './sign-in.ts'

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
  if (provider === null) {
    throw loginOver()
  }

  const { profile } = await identifyVisitor(ctx, returned, provider)
  const now = ctx.now()
  const session = mintSecret('', ctx.random)
  await ctx.stores.transaction(async ({ meSessions }) => {
    if (previousSession !== null) {
      await meSessions.end(ctx.keyring.hashes('me-session', previousSession))
    }
    await meSessions.add(ctx.keyring.hash('me-session', session), {
      issuer: profile.issuer,
      subject: profile.subject,
      email: profile.email,
      name: profile.name,
      createdAt: now,
      expiresAt: now + ME_SESSION_MS,
    })
  })
  return session
}

/** The session of a browser's cookie. Use does not extend it. */
export async function findMeSession(
  ctx: Context,
  secret: string | null,
): Promise<MeSession | null> {
  if (secret === null) {
    return null
  }
  return ctx.stores.meSessions.find(ctx.keyring.hashes('me-session', secret), ctx.now())
}

export const endMeSession = (ctx: Context, secret: string): Promise<void> =>
  ctx.stores.meSessions.end(ctx.keyring.hashes('me-session', secret))

/** Ends every session of this person in one app. */
export async function signOutOfApp(
  ctx: Context,
  person: Identity,
  tenantId: TenantId,
  author: Author,
): Promise<void> {
  const own = await findOwnUser(ctx, person, tenantId)
  if (own !== null) {
    await unlessGone(endEverySession(ctx, own.tenant, own.user.id, author, 'person'))
  }
}

/** Ends the person's sessions in every app, one after the other. Stopped in the middle, it can be repeated. */
export async function signOutOfEveryApp(
  ctx: Context,
  person: Identity,
  author: Author,
): Promise<void> {
  for (let offset = 0; ; offset += APPS_PER_PAGE) {
    const users = await ctx.stores.people.users(person, { offset, limit: APPS_PER_PAGE })
    for (const { tenantId } of users) {
      await signOutOfApp(ctx, person, tenantId, author)
      await yieldToEventLoop()
    }
    if (users.length < APPS_PER_PAGE) {
      return
    }
  }
}
