import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { Conflict } from './database-errors.ts'
import type { Engine } from './engine.ts'
import { MIGRATIONS, type SchemaStep } from './migrations/index.ts'
import { checkDatabase } from './postgres/check-database.ts'
import type { Tables } from './tables/tables.ts'
import { TIMING } from './timing.ts'

export interface MigrateOptions {
  readonly steps?: readonly SchemaStep[]
  /** The longest delay before a migration that a conflict rolled back runs again. */
  readonly retryMs?: number
}

const TRIES = 10

/** Runs pending migrations in order, forward only. Processes that start at the same time wait for one another. */
export async function migrate(
  db: Kysely<Tables>,
  engine: Engine,
  { steps = MIGRATIONS, retryMs = TIMING.migrationRetryMs }: MigrateOptions = {},
): Promise<void> {
  const migrations: Record<string, Migration> = Object.fromEntries(
    steps.map(({ name, up }) => [name, { up: (open) => up(open, engine) }]),
  )
  const database = engine === 'postgres' ? await checkDatabase(db) : null
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableName: 'migrations',
    migrationLockTableName: 'migration_lock',
    // Otherwise Kysely takes a table `migrations` in any schema for ours.
    ...(database === null ? {} : { migrationTableSchema: database.schema }),
  })
  // A newer version may have migrated the database while this one still runs. Migrations only add, so this version can
  // serve it; Kysely would report it as corrupted.
  const known = await migrator.getMigrations()
  if (known.every(({ executedAt }) => executedAt !== undefined)) return
  database?.requireCreate()

  for (let tries = 1; ; tries++) {
    const { error } = await migrator.migrateToLatest()
    if (error === undefined) return
    // The transaction locks many tables and can deadlock with an older instance, which locks them in another order.
    if (!(error instanceof Conflict) || tries === TRIES) throw error
    await sleep(Math.random() * retryMs)
  }
}
