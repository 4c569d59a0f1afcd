import type { MeSession } from '../../domain/me/person.ts'
import type { Context } from '../context.ts'

/** The session of a browser's cookie. Use does not extend it. */
export const findMeSession = async (ctx: Context, secret: string | null): Promise<MeSession | null> =>
  secret === null ? null : ctx.stores.meSessions.find(ctx.keyring.hashes('me-session', secret), ctx.now())

export const endMeSession = (ctx: Context, secret: string): Promise<void> =>
  ctx.stores.meSessions.end(ctx.keyring.hashes('me-session', secret))
