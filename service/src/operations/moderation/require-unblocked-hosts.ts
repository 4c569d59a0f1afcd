import { ApiError } from '../../domain/api-error.ts'
import { blockingHosts } from '../../domain/callbacks/blocked-host.ts'
import type { TransactionStores } from '../../domain/stores/stores.ts'

/** Throws if the operator blocked one of these hosts, or a name above it, for every tenant. */
export async function requireUnblockedHosts(
  stores: Pick<TransactionStores, 'blockedHosts'>,
  hosts: readonly string[],
): Promise<void> {
  const host = await stores.blockedHosts.findAny([...new Set(hosts.flatMap(blockingHosts))])
  if (host === null) return
  throw new ApiError(
    'callbackHostBlocked',
    `The operator of this service blocked the host ${host}. Use a callback URL on another host.`,
    { details: { host } },
  )
}
