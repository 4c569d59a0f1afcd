import type { RuntimeProfile } from '@gatehouse/contract'
import type { IdentityProvider } from '../domain/login/identity-provider.ts'
import type { ClientDocuments } from '../domain/oauth/client-documents.ts'
import type { Revocations } from '../domain/revocation/revocations.ts'
import type { Stores } from '../domain/stores/stores.ts'
import type { Instant } from '../domain/time.ts'
import type { AccessTokenReader } from '../domain/tokens/access-token-reader.ts'
import type { Keyring } from '../domain/tokens/keyring.ts'
import type { Signals } from './signals.ts'
import type { TenantDirectory } from './tenants/tenant-directory.ts'

/** What an operation may reach for. Each asks for the parts it needs, so its type can state a promise. */
export interface Context {
  readonly stores: Stores
  readonly identity: IdentityProvider
  readonly keyring: Keyring
  readonly accessTokens: AccessTokenReader
  /** null: clients register, and none is known by an address. */
  readonly clientDocuments: ClientDocuments | null
  readonly revocations: Revocations
  /** Has it heard of no revocation for so long that `revocations` must not answer? Only if the operator wants it so. */
  readonly isRevocationFeedStale: () => boolean
  /** Wakes whoever waits for something that has just happened. */
  readonly signals: Signals
  readonly directory: TenantDirectory
  /** Milliseconds. Rules are given the time; only operations ask for it. */
  readonly now: () => Instant
  readonly random: (bytes: number) => Uint8Array
  /** No slash at the end. The only source of every address we print. */
  readonly baseUrl: string
  /** The runtime profile that new tenants are labelled with. */
  readonly profile: RuntimeProfile
  readonly log: Log
}

/** What operations may write down. The allowed fields are a list (log.ts), so a secret has no way in. */
export interface Log {
  warn(message: string, error?: unknown): void
  error(message: string, error?: unknown): void
}
