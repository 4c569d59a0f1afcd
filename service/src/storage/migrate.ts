import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { MIGRATIONS } from './migrations/index.ts'
import type { Engine } from './profiles.ts'
import type { Tables } from './tables.ts'

/** Runs what has not run yet, in order; forward only. Processes that start together wait for one another. */
export async function migrate(db: Kysely<Tables>, engine: Engine): Promise<void> {
  const migrations: Record<string, Migration> = Object.fromEntries(
    MIGRATIONS.map(({ name, up }) => [name, { up: (open) => up(open, engine) }]),
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

  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
}
