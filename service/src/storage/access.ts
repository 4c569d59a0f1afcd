import type { UserMessageKind } from '@gatehouse-auth/contract'
import type { Kysely, Selectable } from 'kysely'
import type { TenantId } from '../domain/ids.ts'
import type { Revocation } from '../domain/revocation/revocation.ts'
import type { Deliverable, MessageSubject } from '../domain/stores/stores.ts'
import type { NewAction } from '../domain/tenants/audit.ts'
import type { Instant } from '../domain/time.ts'
import type { Engine } from './engine.ts'
import type { Tables } from './tables/tables.ts'

/** A store's access to the database. The same store code runs inside and outside a transaction. */
export interface Access {
  readonly engine: Engine
  readonly read: Kysely<Tables>
  readonly write: Kysely<Tables>
  /** For a login in progress: a power failure may undo it on SQLite, because the response does not wait for the disk. */
  readonly writeEarly: Kysely<Tables>
  /** Runs `work` in the current transaction, or in a new one if there is none. */
  inTransaction<T>(work: (open: TransactionAccess) => Promise<T>): Promise<T>
}

/** Access inside a transaction, which collects what it writes at its end (transactions.ts) and publishes after its commit. */
export interface TransactionAccess extends Access {
  readonly pendingEvents: CommitEvents
  /** The sessions that the transaction has deleted, for the `last_seen` of their users (users/last-seen.ts). */
  readonly endedSessions: EndedSession[]
  /** Written at the end of the transaction. */
  readonly messages: RecordedMessage[]
  /** Written at the end of the transaction. */
  readonly actions: RecordedAction[]
}

export type EndedSession = Pick<
  Selectable<Tables['sessions']>,
  'tenant_id' | 'resource_id' | 'user_id' | 'rotated_at'
>

/** A management action, and how many the audit keeps of its tenant (tenants/audit.ts). */
export interface RecordedAction {
  readonly action: NewAction
  readonly kept: number
}

/** A message about users, for each endpoint that gets its kind (webhooks/user-messages.ts). */
export interface RecordedMessage {
  readonly tenantId: TenantId
  readonly kind: UserMessageKind
  readonly users: readonly MessageSubject[]
  readonly at: Instant
}

/** What a transaction publishes after its commit, in order. Discarded on rollback. */
export interface CommitEvents {
  readonly revocations: Revocation[]
  /** Tenants whose long polls wake: they have new events, or a claim was opened or decided. */
  readonly changedTenants: Set<string>
  readonly deliverable: Deliverable[]
}
