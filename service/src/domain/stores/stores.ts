/**
 * The interface to the database; a process has one (decision 11).
 *
 * Every query about a tenant's data names the tenant. Stores make no decisions: they know neither limits nor responses.
 */

import type { WebhookKind } from '@gatehouse-auth/contract'
import type { TenantId } from '../ids.ts'
import type { Revocation } from '../revocation/revocation.ts'
import type { LostRevocation } from '../revocation/revocations.ts'
import type { Refresh, RefreshOutcome } from '../sessions/session.ts'
import type { Instant } from '../time.ts'
import type * as accounts from './accounts.ts'
import type * as brand from './brand.ts'
import type * as claims from './claims.ts'
import type * as events from './events.ts'
import type * as issuer from './issuer.ts'
import type * as limits from './limits.ts'
import type * as login from './login.ts'
import type * as oauth from './oauth.ts'
import type * as providers from './providers.ts'
import type * as sessions from './sessions.ts'
import type * as tenants from './tenants.ts'
import type * as users from './users.ts'
import type * as webhooks from './webhooks.ts'

export type * from './accounts.ts'
export type * from './brand.ts'
export type * from './claims.ts'
export type * from './events.ts'
export type * from './issuer.ts'
export type * from './limits.ts'
export type * from './login.ts'
export type * from './providers.ts'
export type * from './sessions.ts'
export type * from './tenants.ts'
export type * from './users.ts'
export type * from './webhooks.ts'

/** Every store, inside and outside a transaction. */
export interface TransactionStores {
  readonly tenants: tenants.TenantStore
  readonly ownership: tenants.OwnershipStore
  readonly creations: tenants.CreationStore
  readonly credentials: tenants.CredentialsStore
  readonly claims: claims.ClaimStore
  readonly counters: limits.CounterStore
  readonly eventCounts: limits.EventCountStore
  readonly requestRecords: tenants.RequestRecordStore
  readonly feedback: tenants.FeedbackStore
  readonly audit: tenants.AuditStore
  readonly moderation: tenants.ModerationStore
  readonly blockedHosts: tenants.BlockedHostStore

  readonly accounts: accounts.AccountStore
  readonly accountSessions: accounts.AccountSessionStore
  readonly accountSignIns: accounts.AccountSignInStore
  readonly edgeSessions: tenants.EdgeSessionStore
  readonly attempts: login.AttemptStore
  readonly loginCodes: login.LoginCodeStore
  readonly consents: login.ConsentStore
  readonly invitations: login.InvitationStore

  readonly resources: tenants.ResourceStore
  readonly users: users.UserStore
  readonly identities: users.IdentityStore
  readonly sessions: sessions.SessionStore
  readonly events: events.EventStore
  readonly refusals: login.RefusalStore

  readonly meSessions: accounts.MeSessionStore
  readonly people: accounts.PersonStore
  readonly removals: accounts.RemovalStore

  readonly domains: brand.DomainStore
  readonly brands: brand.BrandStore
  readonly providerClients: providers.ProviderClientStore

  readonly signingKeys: issuer.SigningKeyStore

  readonly webhooks: webhooks.WebhookStore
  readonly webhookQueue: webhooks.WebhookQueueStore
  readonly userMessages: webhooks.UserMessageStore
  readonly deliveryLog: webhooks.DeliveryLogStore

  readonly oauthApprovals: oauth.OAuthApprovalStore
  readonly oauthGrants: oauth.OAuthGrantStore
  readonly oauthCodes: oauth.OAuthCodeStore
  readonly oauthTokens: oauth.OAuthTokenStore
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
  transaction<T>(
    work: (stores: TransactionStores) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T>
  /**
   * A `transaction` for what must not be done twice: if the connection breaks during the commit, the outcome is looked up, so
   * that the result is returned if it was committed. Throws OutcomeUnknown if the lookup fails too.
   */
  confirmedTransaction<T>(work: (stores: TransactionStores) => Promise<T>): Promise<T>
  /**
   * One refresh: the rotation, its charges, the event and the revocation. Not a `transaction`, because concurrent refreshes
   * are written together: on SQLite in one commit, on PostgreSQL in one statement.
   */
  refresh(refresh: Refresh): Promise<RefreshOutcome>
  /**
   * After a deletion: removes the content of deleted rows from the files, as far as the engine can (docs/storage.md): SQLite
   * at once, PostgreSQL in the background. `few`: the rows of one user, which PostgreSQL leaves to its autovacuum.
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
  /** Sessions ended again. */
  readonly ended: number
  /** Sessions moved to a newer generation. */
  readonly advanced: number
  /** Resources deleted again. */
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
