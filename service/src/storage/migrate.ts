import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { Conflict } from './database-errors.ts'
import type { Engine } from './engine.ts'
import { createdTables, HASHES_STEP, MIGRATIONS, type SchemaStep } from './migrations.ts'
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

interface HashedStep {
  readonly name: string
  /** null: executed by a build that recorded no hashes. */
  readonly hash: string | null
}

/** Migrations only add, so this version serves what a newer one has migrated, except by a migration whose name ends with `!`. */
export function refuseOtherSchema(
  executed: readonly HashedStep[],
  known: readonly HashedStep[],
): void {
  const knownHashes = new Map(known.map(({ name, hash }) => [name, hash]))
  const unknown = executed.filter(({ name }) => !knownHashes.has(name))
  const hasBase = executed.some(({ name }) => name === known[0]?.name)
  if (unknown.length > 0 && !hasBase) {
    throw new UnusableSchema(BEFORE_RELEASES)
  }

  const changed = executed.find(
    ({ name, hash }) => hash !== null && knownHashes.has(name) && hash !== knownHashes.get(name),
  )
  if (changed !== undefined) {
    throw new UnusableSchema(
      `The database was migrated by another build, whose migration ${changed.name} differs from that of this version, so this version can't use it. ${WAYS_OUT}`,
    )
  }

  const breaking = unknown.find(({ name }) => name.endsWith('!'))
  if (breaking !== undefined) {
    throw new UnusableSchema(`A newer version (${breaking.name.slice(0, -1)}) ${TOO_NEW}`)
  }
}

const WAYS_OUT =
  'Nothing was changed. To keep its data, run the build that made it. To take along only the users, export those of each project there (GET /api/social-login/export) and import them here (POST /api/social-login/import). To start empty, move gatehouse.db and keys.json away, or name an empty PostgreSQL database in DATABASE_URL.'
const BEFORE_RELEASES = `The database was made by a build from before the first release, which no release can upgrade. ${WAYS_OUT}`
const TOO_NEW = `of Gatehouse has upgraded the database, and this version can't use it. Run the newer version, or restore the backup from before the upgrade.`

const MIGRATIONS_TABLE = 'migrations'

async function runPending(
  db: Kysely<Tables>,
  engine: Engine,
  database: CheckedDatabase | null,
  { steps, retryMs }: Required<MigrateOptions>,
): Promise<void> {
  const known = steps.map((step) => ({ name: step.name, hash: step.hash(engine) }))
  const executed = await ownMigrations(db, database)
  refuseOtherSchema(executed, known)
  await refuseEarlierBase(db, engine, executed)

  const executedNames = new Set(executed.map(({ name }) => name))
  if (!known.every(({ name }) => executedNames.has(name))) {
    database?.requireCreate()
    await runSteps(db, engine, database, { steps, retryMs })
  }

  const recorded = executed.filter(({ hash }) => hash !== null)
  await recordHashes(
    db,
    known.filter(({ name }) => !recorded.some((step) => step.name === name)),
  )
}

/** Throws if the schema has tables of another program with names of ours. */
async function ownMigrations(
  db: Kysely<Tables>,
  database: CheckedDatabase | null,
): Promise<HashedStep[]> {
  if (database === null) {
    return executedMigrations(db, null)
  }
  const foreign = await database.relations([...createdTables('postgres'), MIGRATIONS_TABLE])
  const executed = foreign.includes(MIGRATIONS_TABLE)
    ? []
    : await executedMigrations(db, database.schema)
  // Read before: another process that migrates now commits its tables and its list of migrations together.
  if (executed.length === 0 && foreign.length > 0) {
    database.refuseForeign(foreign)
  }
  return executed
}

/** Not Kysely's `getMigrations`, which reads every column of every table at each start. `schema`: null for SQLite. */
async function executedMigrations(
  db: Kysely<Tables>,
  schema: string | null,
): Promise<HashedStep[]> {
  const found =
    schema === null
      ? sql`select 1 from sqlite_schema where type = 'table' and name = ${MIGRATIONS_TABLE}`
      : sql`select 1 from pg_class join pg_namespace on pg_namespace.oid = relnamespace
            where nspname = ${schema} and relname = ${MIGRATIONS_TABLE}`
  if ((await found.execute(db)).rows.length === 0) {
    return []
  }

  const table = schema === null ? sql.id(MIGRATIONS_TABLE) : sql.id(schema, MIGRATIONS_TABLE)
  const { rows } = await sql<{ name: string }>`select name from ${table} order by name`.execute(db)
  const hasHashes = rows.some(({ name }) => name === HASHES_STEP)
  const hashes = hasHashes
    ? await db.selectFrom('migration_hashes').select(['name', 'hash']).execute()
    : []
  return rows.map(({ name }) => ({
    name,
    hash: hashes.find((row) => row.name === name)?.hash ?? null,
  }))
}

/**
 * Builds from before the hashes have edited `0001-initial`, last in the primary key of `identities`. A database that has that
 * key was made by the text of today.
 */
async function refuseEarlierBase(
  db: Kysely<Tables>,
  engine: Engine,
  executed: readonly HashedStep[],
): Promise<void> {
  if (!executed.some(({ hash }) => hash === null)) {
    return
  }
  const firstOfKey =
    engine === 'sqlite'
      ? sql<{ name: string }>`select name from pragma_table_info('identities') where pk = 1`
      : sql<{ name: string }>`select attname as name from pg_index
          join pg_attribute on attrelid = indrelid and attnum = indkey[0]
          where indrelid = to_regclass('identities') and indisprimary`
  const { rows } = await firstOfKey.execute(db)
  if (rows[0]?.name !== 'issuer') {
    throw new UnusableSchema(BEFORE_RELEASES)
  }
}

const TRIES = 10

async function runSteps(
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

/** Another process that starts now may have recorded them. */
async function recordHashes(
  db: Kysely<Tables>,
  steps: readonly { readonly name: string; readonly hash: string }[],
): Promise<void> {
  if (steps.length === 0) {
    return
  }
  await db
    .insertInto('migration_hashes')
    .values([...steps])
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
}
