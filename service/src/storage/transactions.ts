import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ControlledTransaction } from 'kysely'
import type { CommittedEvents } from '../domain/stores/stores.ts'
import { Unavailable } from '../domain/unavailable.ts'
import type { Access, CommitEvents, TransactionAccess } from './access.ts'
import type { Database, Warn } from './database.ts'
import { Conflict } from './database-errors.ts'
import type { Engine } from './engine.ts'
import type { Tables } from './tables.ts'

const ATTEMPTS = 3
const RETRY_WITHIN_MS = 40

/** Transactions on the database of this process. */
export class Transactions {
  /** The database outside a transaction. */
  readonly outside: Access
  readonly #database: Database
  readonly #publish: (announcements: CommittedEvents) => void
  readonly #warn: Warn
  readonly #inside = new AsyncLocalStorage<{ open: boolean }>()

  constructor(database: Database, { publish, warn }: { publish(announcements: CommittedEvents): void; warn: Warn }) {
    const assertOutside = () => this.#assertOutside()
    this.#database = database
    this.#publish = publish
    this.#warn = warn
    this.outside = {
      engine: database.engine,
      read: database.read,
      get write() {
        assertOutside()
        return database.write
      },
      inTransaction: (work) => this.run(work),
    }
  }

  /** Of two transactions that collide the database rolls one back; it runs again, from the beginning. */
  async run<T>(work: (access: TransactionAccess) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#once(work)
      } catch (error) {
        if (!(error instanceof Conflict) || attempt === ATTEMPTS) throw error
        await sleep(Math.random() * RETRY_WITHIN_MS * attempt)
      }
    }
  }

  async #once<T>(work: (access: TransactionAccess) => Promise<T>): Promise<T> {
    this.#assertOutside()
    const transaction = await this.#database.write.startTransaction().execute()
    const access = accessIn(transaction, this.#database.engine)
    const context = { open: true }
    try {
      const result = await this.#inside.run(context, () => work(access))
      await transaction.commit().execute()
      this.publish(access.pendingEvents)
      return result
    } catch (error) {
      if (!transaction.isCommitted) await this.#rollBack(transaction)
      throw error
    } finally {
      context.open = false
    }
  }

  // The first error is the one that matters; a connection that cannot even roll back is thrown away by its pool.
  async #rollBack(transaction: ControlledTransaction<Tables>): Promise<void> {
    try {
      await transaction.rollback().execute()
    } catch (error) {
      if (!(error instanceof Unavailable)) this.#warn('a transaction could not be rolled back', error)
    }
  }

  /** Announces what was committed. */
  publish({ revocations, changedTenants }: CommitEvents): void {
    if (revocations.length > 0 || changedTenants.size > 0)
      this.#publish({ revocations, changedTenants: [...changedTenants] })
  }

  // On SQLite a write that waits for the transaction it is part of would wait for ever. It fails on both engines.
  #assertOutside(): void {
    if (this.#inside.getStore()?.open) {
      throw new Error('inside a transaction, write with the stores it was given')
    }
  }
}

function accessIn(transaction: ControlledTransaction<Tables>, engine: Engine): TransactionAccess {
  const access: TransactionAccess = {
    engine,
    read: transaction,
    write: transaction,
    pendingEvents: { revocations: [], changedTenants: new Set() },
    inTransaction: (work) => work(access),
  }
  return access
}
