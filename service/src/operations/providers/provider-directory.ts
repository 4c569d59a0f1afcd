import { type ProviderName, providerKind } from '@gatehouse-auth/contract'
import { Unavailable } from '../../domain/api-error.ts'
import type { IdentityProvider } from '../../domain/login/identity-provider.ts'
import {
  type ProviderClient,
  type ProviderCredentials,
  type SharedProviderName,
  unsealCredentials,
} from '../../domain/providers/provider-client.ts'
import type { Duration, Instant } from '../../domain/time.ts'
import type { Keyring } from '../../domain/tokens/keyring.ts'

interface ProviderSource {
  /** The operator's Google. */
  readonly identity: IdentityProvider
  readonly sharedProviders: ReadonlyMap<SharedProviderName, IdentityProvider>
  ownProvider(credentials: ProviderCredentials): IdentityProvider
}

/** Owners' clients are kept with the metadata of their provider, so that a login does not ask for it again. */
const KEPT_MAX = 500
/** A provider that moved an endpoint is asked again after this time. */
const KEPT_MS: Duration = 3_600_000

interface KeptProvider {
  readonly identity: IdentityProvider
  readonly until: Instant
}

/** Resolves the clients of logins: the operator's, and those of owners. */
export class ProviderDirectory {
  readonly #source: ProviderSource
  readonly #keyring: Keyring
  readonly #now: () => Instant
  /** In the order of their last use. */
  readonly #kept = new Map<string, KeptProvider>()

  constructor(source: ProviderSource, keyring: Keyring, now: () => Instant) {
    this.#source = source
    this.#keyring = keyring
    this.#now = now
  }

  /** The providers at which the operator has a client, Google first. */
  sharedNames(): readonly ('google' | SharedProviderName)[] {
    return ['google', ...this.#source.sharedProviders.keys()]
  }

  /** null: the operator has no client there. */
  shared(name: ProviderName): IdentityProvider | null {
    if (name === 'google') {
      return this.#source.identity
    }
    const kind = providerKind(name)
    return this.#source.sharedProviders.get(kind as SharedProviderName) ?? null
  }

  /** The provider with an owner's client. Throws Unavailable if its secret cannot be read. */
  own(client: ProviderClient): IdentityProvider {
    const now = this.#now()
    const key = `${client.tenantId} ${client.id}`
    const known = this.#kept.get(key)
    this.#kept.delete(key)
    if (known !== undefined && known.until > now) {
      this.#kept.set(key, known)
      return known.identity
    }

    const identity = this.#open(client)
    this.#kept.set(key, { identity, until: now + KEPT_MS })
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > KEPT_MAX && oldest !== undefined) {
      this.#kept.delete(oldest)
    }
    return identity
  }

  #open(client: ProviderClient): IdentityProvider {
    const credentials = unsealCredentials(this.#keyring, client)
    if (credentials === null) {
      throw new Unavailable(
        'The secret of this client cannot be read: its master key is not in the key ring.',
      )
    }
    return this.#source.ownProvider(credentials)
  }
}
