import type { Kysely } from 'kysely'
import type { Revocation } from '../domain/revocation/revocation.ts'
import type { Engine } from './engine.ts'
import type { Tables } from './tables.ts'

/** How a store reaches its database. The same store works in and out of a transaction; it cannot tell which. */
export interface Access {
  readonly engine: Engine
  readonly read: Kysely<Tables>
  readonly write: Kysely<Tables>
  /** Everything in `work` or nothing: in the transaction we are in, or in one of its own. */
  inTransaction<T>(work: (open: TransactionAccess) => Promise<T>): Promise<T>
}

/** Inside a transaction, where things can be said that are heard only after its commit. */
export interface TransactionAccess extends Access {
  readonly pendingEvents: CommitEvents
}

/** What a transaction has to announce, in the order it happened. Forgotten when it is rolled back. */
export interface CommitEvents {
  readonly revocations: Revocation[]
  readonly changedTenants: Set<string>
}
