import type { Keyring } from '../tokens/keyring.ts'
import { seal, unseal } from '../tokens/seal.ts'
import type { RandomBytes } from '../tokens/uniform.ts'
import type { ProviderClient, ProviderClientRef } from './provider-client.ts'
import type { ProviderCredentials } from './provider-credentials.ts'

type About = ProviderClientRef & Pick<ProviderClient, 'provider'>

/** Sealed, because a hash cannot authenticate at the provider. */
export const sealCredentials = (
  keyring: Keyring,
  about: About,
  credentials: ProviderCredentials,
  random: RandomBytes,
): Uint8Array => seal(keyring, contextOf(about), JSON.stringify(credentials), random)

/** null: shared, or sealed with a master key that is not in the ring. */
export function unsealCredentials(keyring: Keyring, client: ProviderClient): ProviderCredentials | null {
  const text = client.sealed === null ? null : unseal(keyring, contextOf(client), client.sealed)
  return text === null ? null : (JSON.parse(text) as ProviderCredentials)
}

const contextOf = ({ tenantId, provider, id }: About): string => `${tenantId}\0${provider}\0${id}`
