import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ControlledTransaction } from 'kysely'
import type { Announcements } from '../domain/stores.ts'
import { Unavailable } from '../domain/unavailable.ts'
import type { Access, OpenAccess, Told } from './access.ts'
import type { Database, Warn } from './database.ts'
import { Conflict } from './failures.ts'
import type { Tables } from './tables.ts'

const ATTEMPTS = 3
const RETRY_WITHIN_MS = 40

/**
 * One transaction over one database or several.
 *
 * Databases begin and commit in the order given. With two of them there is a moment between the two commits: if the
 * process or the second database dies in it, the first keeps what the second never heard of. So the data comes first
 * and home, which counts, last: an event may then be recorded that is not counted, never the other way round. Only a
 * service with a PostgreSQL home and tenants on SQLite has that moment.
 */
export class Transactions {
  readonly #announce: (announcements: Announcements) => void
  readonly #warn: Warn
  readonly #inside = new AsyncLocalStorage<{ open: boolean }>()

  constructor({ announce, warn }: { announce(announcements: Announcements): void; warn: Warn }) {
    this.#announce = announce
    this.#warn = warn
  }

  /** Two transactions that collide are both right; the one that was undone runs again, from the beginning. */
  async run<T>(databases: readonly Database[], work: (accesses: readonly OpenAccess[]) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#once(databases, work)
      } catch (error) {
        if (!(error instanceof Conflict) || attempt === ATTEMPTS) throw error
        await sleep(Math.random() * RETRY_WITHIN_MS * attempt)
      }
    }
  }

  /** The same database, outside a transaction. */
  outside(database: Database): Access {
    const assertOutside = () => this.#assertOutside()
    return {
      engine: database.engine,
      profile: database.profile,
      read: database.read,
      get write() {
        assertOutside()
        return database.write
      },
      together: (work) => this.run([database], ([access]) => work(access as OpenAccess)),
    }
  }

  async #once<T>(databases: readonly Database[], work: (accesses: readonly OpenAccess[]) => Promise<T>): Promise<T> {
    this.#assertOutside()
    const open: Open[] = []
    const committed: Told[] = []
    const context = { open: true }
    try {
      for (const database of databases) open.push(await begin(database))
      const result = await this.#inside.run(context, () => work(open.map(({ access }) => access)))
      for (const { transaction, access } of open) {
        await transaction.commit().execute()
        committed.push(access.told)
      }
      return result
    } catch (error) {
      for (const { transaction } of open) if (!transaction.isCommitted) await this.#rollBack(transaction)
      throw error
    } finally {
      context.open = false
      // Also when a later database failed to commit: what an earlier one committed is true.
      this.tell(committed)
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
  tell(committed: readonly Told[]): void {
    const notices = committed.flatMap((told) => told.notices)
    const eventsOf = [...new Set(committed.flatMap((told) => [...told.eventsOf]))]
    if (notices.length > 0 || eventsOf.length > 0) this.#announce({ notices, eventsOf })
  }

  // On SQLite a write that waits for the transaction it is part of would wait for ever. Say so, on both engines.
  #assertOutside(): void {
    if (this.#inside.getStore()?.open) {
      throw new Error('inside a transaction, write with the stores it was given')
    }
  }
}

interface Open {
  readonly transaction: ControlledTransaction<Tables>
  readonly access: OpenAccess
}

async function begin(database: Database): Promise<Open> {
  const transaction = await database.write.startTransaction().execute()
  const access: OpenAccess = {
    engine: database.engine,
    profile: database.profile,
    read: transaction,
    write: transaction,
    told: { notices: [], eventsOf: new Set() },
    together: (work) => work(access),
  }
  return { transaction, access }
}
