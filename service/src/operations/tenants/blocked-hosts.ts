import { ApiError } from '../../domain/api-error.ts'
import { placeOf } from '../../domain/callbacks/host.ts'
import { blockingHosts } from '../../domain/callbacks/url.ts'
import type { BlockedHost, TransactionStores } from '../../domain/stores/stores.ts'
import type { Context } from '../context.ts'

/** For every tenant: no new callback URL has this host or one below it, and no login ends there. */
export const blockHost = (
  ctx: Pick<Context, 'stores' | 'now'>,
  host: string,
  reason: string,
): Promise<boolean> => ctx.stores.blockedHosts.add(host, reason, ctx.now())

export const unblockHost = (ctx: Pick<Context, 'stores'>, host: string): Promise<boolean> =>
  ctx.stores.blockedHosts.remove(host)

export const listBlockedHosts = (ctx: Pick<Context, 'stores'>): Promise<BlockedHost[]> =>
  ctx.stores.blockedHosts.list()

/** Checked when a login or a link starts and before each redirect: the operator may have blocked its host since. */
export const requireUnblockedCallback = (
  stores: Pick<TransactionStores, 'blockedHosts'>,
  redirectUri: string,
): Promise<void> => requireUnblockedHosts(stores, [placeOf(new URL(redirectUri), 'hostname')])

/** Throws if the operator blocked one of these hosts, or a name above it, for every tenant. */
export async function requireUnblockedHosts(
  stores: Pick<TransactionStores, 'blockedHosts'>,
  hosts: readonly string[],
): Promise<void> {
  const blocking = new Set(hosts.flatMap(blockingHosts))
  const host = await stores.blockedHosts.findAny([...blocking])
  if (host !== null) {
    throw new ApiError(
      'callbackHostBlocked',
      `The operator of this service blocked the host ${host}. Use a callback URL on another host.`,
      { details: { host } },
    )
  }
}
