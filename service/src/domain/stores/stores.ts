/**
 * Everything the service asks of its database: one process has one database (decision 11).
 *
 * Every query about a tenant's data names the tenant. A store makes no decisions: it does not know what a limit is, or
 * which response follows.
 */

import type { TenantId } from '../ids.ts'
import type { Revocation } from '../revocation/revocation.ts'
import type { Refresh, RefreshOutcome } from '../sessions/refresh.ts'
import type { Instant } from '../time.ts'
import type { OAuthApprovalStore, OAuthCodeStore, OAuthGrantStore, OAuthTokenStore } from './oauth.ts'
import type {
  AccountSessionStore,
  AccountSignInStore,
  AccountStore,
  AttemptStore,
  EdgeSessionStore,
} from './sign-in.ts'
import type { EventStore, ResourceStore, SessionStore, UserStore } from './social-login.ts'
import type {
  ClaimStore,
  CounterStore,
  CreationStore,
  CredentialsStore,
  FeedbackStore,
  OwnershipStore,
  RequestRecordStore,
  TenantStore,
} from './tenants.ts'

export type * from './sign-in.ts'
export type * from './social-login.ts'
export type * from './tenants.ts'

/** Every store. The same ones work in a transaction and outside of one. */
export interface TransactionStores {
  readonly tenants: TenantStore
  readonly ownership: OwnershipStore
  readonly creations: CreationStore
  readonly credentials: CredentialsStore
  readonly claims: ClaimStore
  readonly counters: CounterStore
  readonly requestRecords: RequestRecordStore
  readonly feedback: FeedbackStore

  readonly accounts: AccountStore
  readonly accountSessions: AccountSessionStore
  readonly accountSignIns: AccountSignInStore
  readonly edgeSessions: EdgeSessionStore
  readonly attempts: AttemptStore

  readonly resources: ResourceStore
  readonly users: UserStore
  readonly sessions: SessionStore
  readonly events: EventStore

  readonly oauthApprovals: OAuthApprovalStore
  readonly oauthGrants: OAuthGrantStore
  readonly oauthCodes: OAuthCodeStore
  readonly oauthTokens: OAuthTokenStore
}

export interface Stores extends TransactionStores {
  /**
   * One transaction: everything in `work` is committed, or nothing. `work` must write with the stores it receives. What
   * the transaction announces (notices, new events) reaches this process's memory after the commit and before the
   * promise resolves.
   */
  transaction<T>(work: (stores: TransactionStores) => Promise<T>): Promise<T>
  /**
   * One refresh as a whole: the swap of generations, its charges, the event, the notice. Not a `transaction`, because
   * concurrent refreshes are written together: on SQLite in one commit, on PostgreSQL in one statement.
   */
  refresh(refresh: Refresh): Promise<RefreshOutcome>
  /** After a deletion: removes what deleted rows leave in the files, as far as the engine can (secure delete, WAL). */
  eraseDeleted(): Promise<void>
  /** Removes notices that no token can need any more. */
  sweepRevocations(now: Instant, limit: number): Promise<number>
  /** Throws Unavailable when the database does not answer. */
  ping(): Promise<void>
}

/** What a committed transaction tells the process it ran in. */
export interface CommittedEvents {
  readonly revocations: readonly Revocation[]
  /** Tenants that have new events. */
  readonly changedTenants: readonly TenantId[]
}
