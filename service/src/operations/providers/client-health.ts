import type { ProviderClient } from '../../domain/providers/provider-client.ts'
import type { Context } from '../context.ts'

/**
 * Notes on an owner's client whether the provider accepts it. One that it refuses stays in use: falling back to another
 * client would hide the problem from the owner.
 */
export async function noteClientHealth(
  { stores, log }: Pick<Context, 'stores' | 'log'>,
  client: ProviderClient | null,
  accepted: boolean,
): Promise<void> {
  if (client === null || client.status !== (accepted ? 'failing' : 'active')) return
  try {
    await stores.providerClients.setStatus(client, client.status, accepted ? 'active' : 'failing')
  } catch (error) {
    // The login itself must not fail with it: the next one notes it.
    log.warn('the status of a provider client could not be changed', error)
  }
}
