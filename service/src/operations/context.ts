import type { RuntimeProfile } from '@gatehouse-auth/contract'
import type { ProbeDomain } from '../domain/brand/domain.ts'
import type { IdentityProvider, TestUser } from '../domain/login/identity-provider.ts'
import type { ReadProfile } from '../domain/login/profile.ts'
import type { ClientDocuments } from '../domain/oauth/client.ts'
import type { Revocations } from '../domain/revocation/revocations.ts'
import type { Stores } from '../domain/stores/stores.ts'
import type { Duration, Instant } from '../domain/time.ts'
import type { AccessTokenReader } from '../domain/tokens/access-token-reader.ts'
import type { IdTokens } from '../domain/tokens/id-token.ts'
import type { Keyring } from '../domain/tokens/keyring.ts'
import type { WebhookTransport } from '../domain/webhooks/delivery.ts'
import type { SigningKeys } from './issuer/signing-keys.ts'
import type { TenantQueues } from './limits/tenant-queues.ts'
import type { OperationCounts } from './operation-counts.ts'
import type { ProviderDirectory } from './providers/provider-directory.ts'
import type { SharedClientFaults } from './providers/shared-client-faults.ts'
import type { Signals } from './signals.ts'
import type { TenantDirectory } from './tenants/tenant-directory.ts'
import type { KeyUses, RefusalLog } from './write-behind.ts'

/**
 * What operations depend on, in groups by what a dependency is for. An operation that takes only some of them says so in its
 * type, with `Pick`.
 */
export interface Context
  extends Storage,
    SignIn,
    Tokens,
    SharedMemory,
    OtherServers,
    Diagnostics,
    Settings {
  /** Domain functions receive the time as an argument; only operations read the clock. */
  readonly now: () => Instant
  readonly random: (bytes: number) => Uint8Array
}

interface Storage {
  readonly stores: Stores
  /** Whether PostgreSQL has not responded for seconds. What can do without a query does not wait for it. */
  readonly isDatabaseSilent: () => boolean
}

/** The identity providers. */
interface SignIn {
  /** The operator's Google, with which owners sign in to their accounts. */
  readonly identity: IdentityProvider
  /** The providers with which users sign in to apps. */
  readonly providers: ProviderDirectory
  /** Faults of the operator's own clients, for the status page. */
  readonly sharedClientFaults: SharedClientFaults
  /** The profile that the development Google gives to a user. null: with a real Google, tests can create no session. */
  readonly testProfile: ((user: TestUser) => ReadProfile) | null
}

interface Tokens {
  readonly keyring: Keyring
  readonly accessTokens: AccessTokenReader
  readonly idTokens: IdTokens
  /** The RSA keys of tenants. */
  readonly signingKeys: SigningKeys
}

/** What a process keeps in memory, and shares with its other requests. */
interface SharedMemory {
  readonly revocations: Revocations
  /** Whether `revocations` is too old for verify. Always false with VERIFY_STALE_POLICY=open. */
  readonly isRevocationFeedStale: () => boolean
  /** Tenants that were read before. */
  readonly directory: TenantDirectory
  /** Wakes long polls. */
  readonly signals: Signals
  /** Separate, so that login links that anyone can open do not delay signed-in users. */
  readonly queues: TenantQueues<'refresh' | 'start'>
}

/** Servers that owners and the developers of agents name. */
interface OtherServers {
  /** null: client ids that are URLs are not supported. */
  readonly clientDocuments: ClientDocuments | null
  readonly webhooks: WebhookTransport
  readonly probeDomain: ProbeDomain
}

interface Diagnostics {
  readonly log: Log
  readonly counts: OperationCounts
  /** Counts refused sign-ins, for the app's developer. */
  readonly refusals: RefusalLog
  /** When the keys of tenants were last used, for their owners. */
  readonly keyUses: KeyUses
}

/** What the operator has set. */
interface Settings {
  /** Without a trailing slash. Every URL of the service starts with it. */
  readonly baseUrl: string
  /** The runtime profile of new tenants. */
  readonly profile: RuntimeProfile
  /** No app may have the name of the operator. */
  readonly operatorName: string | null
  /** How long an access token is valid: an hour, or less with DEV_ACCESS_TOKEN_SECONDS. */
  readonly accessTokenSeconds: number
  /** DEV_UNLIMITED: events are counted, and no limit of a minute, a month or a lifetime rejects them. */
  readonly unlimited: boolean
  /** null: the history of logins is kept. */
  readonly eventRetentionDays: number | null
  /** How long a spent refresh token of an agent still returns the current one. */
  readonly agentRefreshGraceMs: Duration
}

/** The log of operations. Only a message and an error, which log.ts redacts, so that no secret is logged. */
export interface Log {
  warn(message: string, error?: unknown): void
  error(message: string, error?: unknown): void
}
