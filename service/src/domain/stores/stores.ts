/**
 * The interface to the database; a process has one (decision 11).
 *
 * Every query about a tenant's data names the tenant. Stores make no decisions: they know neither limits nor responses.
 */

import type { WebhookKind } from '@gatehouse/contract'
import type { TenantId } from '../ids.ts'
import type { Revocation } from '../revocation/revocation.ts'
import type { LostRevocation } from '../revocation/revocations.ts'
import type { Refresh, RefreshOutcome } from '../sessions/session.ts'
import type { Instant } from '../time.ts'
import type {
  AccountSessionStore,
  AccountSignInStore,
  AccountStore,
  MeSessionStore,
  PersonStore,
  RemovalStore,
} from './accounts.ts'
import type { BrandStore, DomainStore, ProviderClientStore } from './brand.ts'
import type { OAuthApprovalStore, OAuthCodeStore, OAuthGrantStore, OAuthTokenStore } from './oauth.ts'
import type {
  AttemptStore,
  ConsentStore,
  EventStore,
  IdentityStore,
  InvitationStore,
  LoginCodeStore,
  RefusalStore,
  ResourceStore,
  SessionStore,
  UserStore,
} from './social-login.ts'
import type {
  AuditStore,
  BlockedHostStore,
  ClaimStore,
  CounterStore,
  CreationStore,
  CredentialsStore,
  EdgeSessionStore,
  EventCountStore,
  FeedbackStore,
  ModerationStore,
  OwnershipStore,
  RequestRecordStore,
  TenantStore,
} from './tenants.ts'
import type { DeliveryLogStore, UserMessageStore, WebhookQueueStore, WebhookStore } from './webhooks.ts'

export type * from './accounts.ts'
export type * from './brand.ts'
export type * from './social-login.ts'
export type * from './tenants.ts'
export type * from './webhooks.ts'

/** Every store, inside and outside a transaction. */
export interface TransactionStores {
  readonly tenants: TenantStore
  readonly ownership: OwnershipStore
  readonly creations: CreationStore
  readonly credentials: CredentialsStore
  readonly claims: ClaimStore
  readonly counters: CounterStore
  readonly eventCounts: EventCountStore
  readonly requestRecords: RequestRecordStore
  readonly feedback: FeedbackStore
  readonly audit: AuditStore
  readonly moderation: ModerationStore
  readonly blockedHosts: BlockedHostStore

  readonly accounts: AccountStore
  readonly accountSessions: AccountSessionStore
  readonly accountSignIns: AccountSignInStore
  readonly edgeSessions: EdgeSessionStore
  readonly attempts: AttemptStore
  readonly loginCodes: LoginCodeStore
  readonly consents: ConsentStore
  readonly invitations: InvitationStore

  readonly resources: ResourceStore
  readonly users: UserStore
  readonly identities: IdentityStore
  readonly sessions: SessionStore
  readonly events: EventStore
  readonly refusals: RefusalStore

  readonly meSessions: MeSessionStore
  readonly people: PersonStore
  readonly removals: RemovalStore

  readonly domains: DomainStore
  readonly brands: BrandStore
  readonly providerClients: ProviderClientStore

  readonly webhooks: WebhookStore
  readonly webhookQueue: WebhookQueueStore
  readonly userMessages: UserMessageStore
  readonly deliveryLog: DeliveryLogStore

  readonly oauthApprovals: OAuthApprovalStore
  readonly oauthGrants: OAuthGrantStore
  readonly oauthCodes: OAuthCodeStore
  readonly oauthTokens: OAuthTokenStore
}

export interface TransactionOptions {
  /**
   * A power failure within the next milliseconds may undo it, on SQLite. Only for a login in progress, which its user then
   * starts again: what an app or an owner was told must stay. Its events are published when it is durable.
   */
  readonly mayBeLost?: boolean
}

export interface Stores extends TransactionStores {
  /**
   * Runs `work` in one transaction. `work` must write with the stores that it receives. Its revocations and events are
   * published to this process after the commit and before the promise resolves (read-your-writes).
   */
  transaction<T>(work: (stores: TransactionStores) => Promise<T>, options?: TransactionOptions): Promise<T>
  /**
   * The same, for what must not be done twice: if the connection breaks during the commit, the outcome is looked up, so
   * that the result is returned if it was committed. Throws OutcomeUnknown if the lookup fails too.
   */
  confirmedTransaction<T>(work: (stores: TransactionStores) => Promise<T>): Promise<T>
  /**
   * One refresh: the rotation, its charges, the event and the revocation. Not a `transaction`, because concurrent refreshes
   * are written together: on SQLite in one commit, on PostgreSQL in one statement.
   */
  refresh(refresh: Refresh): Promise<RefreshOutcome>
  /**
   * After a deletion: removes the content of deleted rows from the files, as far as the engine can (docs/storage.md).
   * `few`: of one user, which PostgreSQL leaves to its autovacuum.
   */
  eraseDeleted(rows?: 'few'): Promise<void>
  /** Deletes revocations that no valid token needs. */
  sweepRevocations(now: Instant, limit: number): Promise<number>
  /** Calls `each` with all unexpired revocations, page by page. */
  loadRevocations(now: Instant, each: (page: readonly Revocation[]) => void): Promise<void>
  /** Repeats changes that the database lost in a failover, with their revocations. */
  writeBack(lost: readonly LostRevocation[], now: Instant): Promise<WrittenBack>
  /** Throws Unavailable if the database does not respond. */
  ping(): Promise<void>
}

/** How many changes were repeated. */
export interface WrittenBack {
  /** Sessions. */
  readonly ended: number
  /** Sessions. */
  readonly advanced: number
  /** Resources. */
  readonly deleted: number
}

/** What a committed transaction publishes. */
export interface CommittedEvents {
  readonly revocations: readonly Revocation[]
  /** Tenants whose long polls wake: they have new events, or a claim was opened or decided. */
  readonly changedTenants: readonly TenantId[]
  /** What webhooks may have to send. Only in the process that committed it. */
  readonly deliverable: readonly Deliverable[]
}

export interface Deliverable {
  readonly tenantId: TenantId
  readonly kinds: readonly WebhookKind[]
}
