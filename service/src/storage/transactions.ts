import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { OutcomeUnknown, Unavailable } from '../domain/api-error.ts'
import type { CommittedEvents, TransactionOptions } from '../domain/stores/stores.ts'
import type { Access, CommitEvents, TransactionAccess } from './access.ts'
import type { Database, OpenTransaction, Warn } from './database.ts'
import { Conflict, ConnectionLost, NotStored } from './database-errors.ts'
import type { Engine } from './engine.ts'
import { writeActions } from './tenants/audit.ts'
import { keepLastSeen } from './users/last-seen.ts'
import { writeMessages } from './webhooks/user-messages.ts'

const TRIES = 3

interface TransactionsOptions {
  publish(events: CommittedEvents): void
  readonly warn: Warn
  /** The longest delay before a transaction runs again, times the number of its tries. */
  readonly retryMs: number
}

interface RunOptions extends TransactionOptions {
  /** A commit whose response is lost is looked up, which costs one more statement. */
  readonly confirm?: boolean
}

/**
 * Runs transactions. After a commit it publishes the events of the transaction, before the caller's promise resolves. A
 * transaction that the database rolled back because of a conflict runs again. All lock rows in one order (docs/storage.md).
 */
export class Transactions {
  /** Access outside a transaction. */
  readonly outside: Access
  readonly #database: Database
  readonly #options: TransactionsOptions
  readonly #inside = new AsyncLocalStorage<{ open: boolean }>()

  constructor(database: Database, options: TransactionsOptions) {
    const assertOutside = () => this.#assertOutside()
    this.#database = database
    this.#options = options
    this.outside = {
      engine: database.engine,
      read: database.read,
      get write() {
        assertOutside()
        return database.write
      },
      get writeEarly() {
        assertOutside()
        return database.writeEarly
      },
      inTransaction: (work) => this.run(work),
    }
  }

  /** Retries on a conflict, from the start. */
  async run<T>(
    work: (access: TransactionAccess) => Promise<T>,
    options: RunOptions = {},
  ): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#once(work, options)
      } catch (error) {
        if (!(error instanceof Conflict) || tries === TRIES) {
          throw error
        }
        await sleep(Math.random() * this.#options.retryMs * tries)
      }
    }
  }

  async #once<T>(work: (access: TransactionAccess) => Promise<T>, options: RunOptions): Promise<T> {
    this.#assertOutside()
    const transaction = await this.#database.begin()
    const access = accessIn(transaction, this.#database.engine)
    const context = { open: true }
    let committed: { readonly durable: Promise<void> | null }
    let result: T
    try {
      result = await this.#inside.run(context, () => work(access))
      await keepLastSeen(access)
      await writeMessages(access)
      await writeActions(access)
      committed = await this.#commit(transaction, options)
    } catch (error) {
      await this.#rollBack(transaction)
      throw error
    } finally {
      context.open = false
    }
    if (committed.durable === null) {
      this.publish(access.pendingEvents)
    } else {
      void this.#publishAfter(committed.durable, access.pendingEvents)
    }
    return result
  }

  /** No event is published before it is durable. A failed sync ends the process. */
  async #publishAfter(durable: Promise<void>, events: CommitEvents): Promise<void> {
    try {
      await durable
    } catch {
      return
    }
    this.publish(events)
  }

  async #commit(
    transaction: OpenTransaction,
    { confirm = false, mayBeLost = false }: RunOptions,
  ): Promise<{ readonly durable: Promise<void> | null }> {
    const { inDoubt } = this.#database
    const id = confirm && inDoubt !== null ? await inDoubt.idOf(transaction.db) : null
    try {
      if (mayBeLost) {
        return await transaction.commitEarly()
      }
      await transaction.commit()
    } catch (error) {
      if (!(error instanceof ConnectionLost)) {
        throw error
      }
      const outcome = id === null ? 'unknown' : await inDoubt?.outcomeOf(id)
      if (outcome === 'rolled back') {
        throw error
      }
      if (outcome !== 'committed') {
        throw new OutcomeUnknown({ cause: error })
      }
      await this.#rollBack(transaction)
    }
    return { durable: null }
  }

  // The caller gets the first error, unless its reason was not stored. The pool discards a connection that cannot roll back.
  async #rollBack(transaction: OpenTransaction): Promise<void> {
    try {
      await transaction.rollBack()
    } catch (error) {
      if (error instanceof NotStored) {
        throw error
      }
      if (!(error instanceof Unavailable)) {
        this.#options.warn('a transaction could not be rolled back', error)
      }
    }
  }

  /** Publishes the events of a committed transaction. */
  publish({ revocations, changedTenants, deliverable }: CommitEvents): void {
    if (revocations.length > 0 || changedTenants.size > 0 || deliverable.length > 0) {
      this.#options.publish({ revocations, changedTenants: [...changedTenants], deliverable })
    }
  }

  // On SQLite a write outside the open transaction that awaits it would deadlock. Both engines reject it.
  #assertOutside(): void {
    if (this.#inside.getStore()?.open) {
      throw new Error('inside a transaction, write with the stores that it receives')
    }
  }
}

function accessIn({ db }: OpenTransaction, engine: Engine): TransactionAccess {
  const access: TransactionAccess = {
    engine,
    read: db,
    write: db,
    writeEarly: db,
    pendingEvents: { revocations: [], changedTenants: new Set(), deliverable: [] },
    endedSessions: [],
    messages: [],
    actions: [],
    inTransaction: (work) => work(access),
  }
  return access
}
