import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { Conflict } from './database-errors.ts'
import type { Engine } from './engine.ts'
import { createdTables, MIGRATIONS, type SchemaStep } from './migrations.ts'
import { type CheckedDatabase, checkDatabase } from './postgres/check-database.ts'
import { replaceFunctions } from './postgres/functions.ts'
import type { Tables } from './tables/tables.ts'
import { TIMING } from './timing.ts'

interface MigrateOptions {
  readonly steps?: readonly SchemaStep[]
  /** The longest delay before a migration that a conflict rolled back runs again. */
  readonly retryMs?: number
}

/**
 * Runs pending migrations in order, forward only, and then replaces outdated functions. Processes that start at the same time
 * wait for one another.
 */
export async function migrate(
  db: Kysely<Tables>,
  engine: Engine,
  { steps = MIGRATIONS, retryMs = TIMING.migrationRetryMs }: MigrateOptions = {},
): Promise<void> {
  const database = engine === 'postgres' ? await checkDatabase(db) : null
  await runPending(db, engine, database, { steps, retryMs })
  if (database !== null) {
    await replaceFunctions(db, database)
  }
}

/** The database was made by a version that this one can't work with. The message names the fix. */
export class UnusableSchema extends Error {}

/** Migrations only add, so this version serves what a newer one has migrated, except by a migration whose name ends with `!`. */
export function refuseOtherSchema(
  executed: ReadonlySet<string>,
  known: readonly Pick<SchemaStep, 'name'>[],
): void {
  const unknown = [...executed].filter((name) => !known.some((step) => step.name === name))
  const breaking = unknown.find((name) => name.endsWith('!'))
  if (unknown.length > 0 && !executed.has(known[0]?.name ?? '')) {
    throw new UnusableSchema(BEFORE_RELEASES)
  }
  if (breaking !== undefined) {
    throw new UnusableSchema(`A newer version (${breaking.slice(0, -1)}) ${TOO_NEW}`)
  }
}
const BEFORE_RELEASES =
  'The database was made by a build from before the first release, which no release can upgrade. To start empty, move gatehouse.db and keys.json away, or name an empty PostgreSQL database in DATABASE_URL. To keep its data, run the build that made it.'
const TOO_NEW = `of Gatehouse has upgraded the database, and this version can't use it. Run the newer version, or restore the backup from before the upgrade.`

const TRIES = 10
const MIGRATIONS_TABLE = 'migrations'

async function runPending(
  db: Kysely<Tables>,
  engine: Engine,
  database: CheckedDatabase | null,
  { steps, retryMs }: Required<MigrateOptions>,
): Promise<void> {
  const migrations: Record<string, Migration> = Object.fromEntries(
    steps.map(({ name, up }) => [name, { up: (open) => up(open, engine) }]),
  )
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableName: MIGRATIONS_TABLE,
    migrationLockTableName: 'migration_lock',
    // Otherwise Kysely takes a table `migrations` in any schema for ours.
    ...(database === null ? {} : { migrationTableSchema: database.schema }),
  })
  const foreign =
    database === null
      ? []
      : await database.relations([...createdTables('postgres'), MIGRATIONS_TABLE])
  const executed = foreign.includes(MIGRATIONS_TABLE)
    ? new Set<string>()
    : await executedMigrations(db, database?.schema ?? null)
  // Read before: another process that migrates now commits its tables and its list of migrations together.
  if (executed.size === 0 && foreign.length > 0) {
    database?.refuseForeign(foreign)
  }
  refuseOtherSchema(executed, steps)
  if (steps.every(({ name }) => executed.has(name))) {
    return
  }
  database?.requireCreate()

  for (let tries = 1; ; tries++) {
    const { error } = await migrator.migrateToLatest()
    if (error === undefined) {
      return
    }
    // The transaction locks many tables and can deadlock with an older instance, which locks them in another order.
    if (!(error instanceof Conflict) || tries === TRIES) {
      throw error
    }
    await sleep(Math.random() * retryMs)
  }
}

/** Not Kysely's `getMigrations`, which reads every column of every table at each start. `schema`: null for SQLite. */
async function executedMigrations(db: Kysely<Tables>, schema: string | null): Promise<Set<string>> {
  const found =
    schema === null
      ? sql`select 1 from sqlite_schema where type = 'table' and name = ${MIGRATIONS_TABLE}`
      : sql`select 1 from pg_class join pg_namespace on pg_namespace.oid = relnamespace
            where nspname = ${schema} and relname = ${MIGRATIONS_TABLE}`
  if ((await found.execute(db)).rows.length === 0) {
    return new Set()
  }
  const table = schema === null ? sql.id(MIGRATIONS_TABLE) : sql.id(schema, MIGRATIONS_TABLE)
  const { rows } = await sql<{ name: string }>`select name from ${table}`.execute(db)
  return new Set(rows.map(({ name }) => name))
}
