import type { Author } from '../../domain/audit/action.ts'
import type { TenantId } from '../../domain/ids.ts'
import type { Identity } from '../../domain/me/person.ts'
import type { Context } from '../context.ts'
import { endEverySession } from '../users/end-user-sessions.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import { APPS_PER_PAGE } from './list-apps.ts'
import { findOwnUser, unlessGone } from './own-user.ts'

/** Ends every session of this person in one app. */
export async function signOutOfApp(ctx: Context, person: Identity, tenantId: TenantId, author: Author): Promise<void> {
  const own = await findOwnUser(ctx, person, tenantId)
  if (own !== null) await unlessGone(endEverySession(ctx, own.tenant, own.user.id, author, 'person'))
}

/** In every app, one after the other. Stopped in the middle, it can be repeated. */
export async function signOutOfEveryApp(ctx: Context, person: Identity, author: Author): Promise<void> {
  for (let offset = 0; ; offset += APPS_PER_PAGE) {
    const users = await ctx.stores.people.users(person, { offset, limit: APPS_PER_PAGE })
    for (const { tenantId } of users) {
      await signOutOfApp(ctx, person, tenantId, author)
      await yieldToEventLoop()
    }
    if (users.length < APPS_PER_PAGE) return
  }
}
