import type { RuntimeProfile } from '@gatehouse/contract'
import type { Announcements, Stores } from '../domain/stores.ts'
import type { Database, LostWrite, PoolStats, Warn } from './database.ts'
import type { Feed } from './feed.ts'
import { type KeyChecks, keyChecks } from './key-checks.ts'
import type { Engine } from './profiles.ts'
import { afterRestore, type Restoring, type SignedOut } from './restored.ts'
import { openSqlite } from './sqlite.ts'
import { storesOn } from './stores.ts'
import { Transactions } from './transactions.ts'

export interface StorageOptions {
  readonly home:
    | { readonly engine: 'sqlite'; readonly file: string }
    | { readonly engine: 'postgres'; readonly url: string }
  /** A SQLite file beside a PostgreSQL home, for the tenants that were born on it. */
  readonly attachSqlite?: string
  /** Heard after every commit of ours that has something to tell, and for what other processes committed. */
  announce(announcements: Announcements): void
  /** For the log. */
  readonly warn: Warn
  /** The process should end: what the disk holds is unknown. PostgreSQL sees to that itself. */
  readonly lostWrite?: LostWrite
  /** This machine's clock minus PostgreSQL's, whenever it was measured: before `follow` resolves, then every second. */
  clockMeasured?(skewMs: number): void
  now?(): number
}

export interface Storage {
  readonly stores: Stores
  readonly keyChecks: KeyChecks
  /** Where home is, and the profiles that can be served now. */
  readonly engines: { readonly home: Engine; readonly profiles: readonly RuntimeProfile[] }
  /** Announces every unexpired notice, then what others commit. Resolves when caught up; rejects when it cannot load. */
  follow(): Promise<void>
  /** Looks for what others committed, now. */
  catchUp(): Promise<void>
  /** Since when nothing was heard from a database; 0 while all is well. */
  staleForMs(): number
  /** This machine's clock minus the database's. */
  clockSkewMs(): number
  poolStats(): PoolStats | null
  /** For the operator, when these databases come from a backup. */
  restored(restoring: Restoring): Promise<SignedOut>
  /** Waits for work in flight. What comes later is Unavailable. */
  close(): Promise<void>
}

/** Databases migrated and ready; nothing is followed before `follow()`. */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { warn, now = Date.now, clockMeasured = () => {} } = options
  const databases = await openDatabases(options)
  const [home] = databases

  // A listener that throws must not make a commit look like a failure.
  const announce = (announcements: Announcements): void => {
    try {
      options.announce(announcements)
    } catch (error) {
      warn('what was committed could not be announced', error)
    }
  }
  const feeds: Feed[] = databases.map((database) => database.feed({ announce, warn, clockMeasured, now }))
  const transactions = new Transactions({
    warn,
    announce(announcements) {
      announce(announcements)
      for (const feed of feeds) feed.wake(announcements.eventsOf)
    },
  })

  return {
    stores: storesOn({ home, databases, transactions }),
    keyChecks: keyChecks(transactions.outside(home)),
    engines: { home: home.engine, profiles: databases.map(({ profile }) => profile).sort() },
    async follow() {
      await Promise.all(feeds.map((feed) => feed.follow()))
    },
    async catchUp() {
      await Promise.all(feeds.map((feed) => feed.catchUp()))
    },
    // Without a list of them: verify may ask every time.
    staleForMs: () => feeds.reduce((stalest, feed) => Math.max(stalest, feed.staleForMs()), 0),
    clockSkewMs: () => feeds.map((feed) => feed.clockSkewMs()).find((skew) => skew !== 0) ?? 0,
    poolStats: () => home.poolStats(),
    restored: (restoring) =>
      afterRestore(
        databases.map((each) => transactions.outside(each)),
        restoring,
        now(),
      ),
    async close() {
      await Promise.all(feeds.map((feed) => feed.close()))
      await Promise.all(databases.map((database) => database.close()))
    },
  }
}

async function openDatabases(options: StorageOptions): Promise<[Database, ...Database[]]> {
  const { home, attachSqlite, warn, lostWrite = () => {} } = options
  if (home.engine === 'sqlite') return [await openSqlite(home.file, warn, { lostWrite })]
  // Loaded only when it is needed: most first starts are on SQLite.
  const { openPostgres } = await import('./postgres.ts')
  const postgres = await openPostgres(home.url, warn)
  if (attachSqlite === undefined) return [postgres]
  try {
    return [postgres, await openSqlite(attachSqlite, warn, { lostWrite, sharesCommits: false })]
  } catch (error) {
    await postgres.close()
    throw error
  }
}
