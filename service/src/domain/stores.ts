/**
 * Everything the service asks of a database.
 *
 * Two groups. The *home* stores (tenants, keys, counters, logins in flight) live in one database. The *social-login*
 * stores live in the database of the profile the tenant was born on. Every question about a tenant's data names the
 * tenant. A store has no opinions: it does not know what a limit is, or which answer follows.
 */

import type { RuntimeProfile } from '@gatehouse/contract'
import type { TenantId } from './ids.ts'
import type { OAuthApprovalStore, OAuthCodeStore, OAuthGrantStore, OAuthTokenStore } from './oauth/oauth-stores.ts'
import type { Notice } from './revocation/notice.ts'
import type { Refresh, RefreshOutcome } from './sessions/refresh.ts'
import type {
  AccountSessionStore,
  AccountSignInStore,
  AccountStore,
  AttemptStore,
  EdgeSessionStore,
} from './sign-in-stores.ts'
import type { EventStore, ResourceStore, SessionStore, UserStore } from './social-login-stores.ts'
import type {
  ClaimStore,
  CounterStore,
  CreationStore,
  CredentialsStore,
  FeedbackStore,
  OwnershipStore,
  RequestRecordStore,
  TenantStore,
} from './tenant-stores.ts'
import type { Instant } from './time.ts'

export type * from './sign-in-stores.ts'
export type * from './social-login-stores.ts'
export type * from './tenant-stores.ts'

export interface Stores extends HomeStores {
  /** The social-login data of tenants born on this profile. Throws Unavailable when its engine is not attached. */
  on(profile: RuntimeProfile): SocialLoginStores
  /**
   * One transaction over the home stores and one profile's data: all of it happens, or none. When both live in one
   * database it is one transaction there; when they do not, the data commits inside the home transaction. What it
   * announces (notices, new events) reaches this process's memory after the commit and before the promise resolves.
   */
  atomically<T>(profile: RuntimeProfile, work: (stores: HomeStores & SocialLoginStores) => Promise<T>): Promise<T>
  /**
   * One refresh as a whole: the swap of generations, what it costs, the event, the notice. Apart from `atomically`,
   * because those who wait go together: on SQLite in one commit, on PostgreSQL in one statement.
   */
  refresh(refresh: Refresh): Promise<RefreshOutcome>
  /** As `atomically`, over the home stores alone. */
  atHome<T>(work: (stores: HomeStores) => Promise<T>): Promise<T>
  /** After a deletion: leave no trace of it in this profile's files, as far as the engine can (secure delete, WAL). */
  forgetDeleted(profile: RuntimeProfile): Promise<void>
  /** Removes notices that no token can need any more. */
  sweepNotices(now: Instant, limit: number): Promise<number>
  /** Does every attached database answer? Throws Unavailable when one does not. */
  ping(): Promise<void>
}

export interface HomeStores {
  readonly tenants: TenantStore
  readonly edgeSessions: EdgeSessionStore
  readonly attempts: AttemptStore
  readonly counters: CounterStore
  readonly ownership: OwnershipStore
  readonly accounts: AccountStore
  readonly accountSessions: AccountSessionStore
  readonly accountSignIns: AccountSignInStore
  readonly claims: ClaimStore
  readonly requestRecords: RequestRecordStore
  readonly feedback: FeedbackStore
  readonly creations: CreationStore
  readonly credentials: CredentialsStore
  readonly oauthApprovals: OAuthApprovalStore
  readonly oauthGrants: OAuthGrantStore
  readonly oauthCodes: OAuthCodeStore
  readonly oauthTokens: OAuthTokenStore
}

export interface SocialLoginStores {
  readonly resources: ResourceStore
  readonly users: UserStore
  readonly sessions: SessionStore
  readonly events: EventStore
}

/** What a committed transaction tells the process it ran in. */
export interface Announcements {
  readonly notices: readonly Notice[]
  /** Tenants that have new events. */
  readonly eventsOf: readonly TenantId[]
}
