import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { Conflict } from './database-errors.ts'
import type { Engine } from './engine.ts'
import { MIGRATIONS, type SchemaStep } from './migrations/index.ts'
import type { Tables } from './tables.ts'

const ATTEMPTS = 10
const RETRY_WITHIN_MS = 500

/** Runs what has not run yet, in order; forward only. Processes that start together wait for one another. */
export async function migrate(
  db: Kysely<Tables>,
  engine: Engine,
  steps: readonly SchemaStep[] = MIGRATIONS,
): Promise<void> {
  const migrations: Record<string, Migration> = Object.fromEntries(
    steps.map(({ name, up }) => [name, { up: (open) => up(open, engine) }]),
  )
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableName: 'migrations',
    migrationLockTableName: 'migration_lock',
  })
  // A database that is ahead of us is one that a newer version upgraded while we run beside it. Migrations only add,
  // so we can serve; Kysely would call it corrupt.
  const known = await migrator.getMigrations()
  if (known.every(({ executedAt }) => executedAt !== undefined)) return

  for (let attempt = 1; ; attempt++) {
    const { error } = await migrator.migrateToLatest()
    if (error === undefined) return
    // It changes many tables in one transaction, and an older instance uses them in another order meanwhile.
    if (!(error instanceof Conflict) || attempt === ATTEMPTS) throw error
    await sleep(Math.random() * RETRY_WITHIN_MS)
  }
}
