import type { BlockedHost } from '../../domain/stores/stores.ts'
import type { Context } from '../context.ts'

/** For every tenant: no new callback URL has this host or one below it, and no login ends there. */
export const blockHost = (ctx: Pick<Context, 'stores' | 'now'>, host: string, reason: string): Promise<boolean> =>
  ctx.stores.blockedHosts.add(host, reason, ctx.now())

export const unblockHost = (ctx: Pick<Context, 'stores'>, host: string): Promise<boolean> =>
  ctx.stores.blockedHosts.remove(host)

export const listBlockedHosts = (ctx: Pick<Context, 'stores'>): Promise<BlockedHost[]> => ctx.stores.blockedHosts.list()
