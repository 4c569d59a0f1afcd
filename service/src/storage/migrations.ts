import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { readInstalled } from '../folders.ts'
import type { Engine } from './engine.ts'

/** A migration sees no row types: it is written for the tables of its release, not for the current ones. */
export interface SchemaStep {
  readonly name: string
  /** Tells a database that another text under this name has migrated (migrate.ts). */
  hash(engine: Engine): string
  up(db: Kysely<unknown>, engine: Engine): Promise<void>
}

/**
 * A step of `service/content/migrations`: SQL for each engine, so that no version of a library can change what a released
 * migration does. `service/content/functions.postgres.sql` has PostgreSQL's functions.
 */
const step = (name: string): SchemaStep => ({
  name,
  hash: (engine) => createHash('sha256').update(textOf(name, engine)).digest('hex'),
  async up(db, engine) {
    for (const statement of textOf(name, engine).match(STATEMENT) ?? []) {
      if (statement.replaceAll(/^--.*$/gm, '').trim() !== '') {
        await sql.raw(statement).execute(db)
      }
    }
  },
})

/** Up to a semicolon at the end of a line that is not in a body between `$$`. */
const STATEMENT = /(?:\$\$[\s\S]*?\$\$|[^;]|;(?!$))+/gm

const textOf = (name: string, engine: Engine): string =>
  readInstalled('content', `migrations/${name}.${engine}.sql`).toString()

/** The tables that the migrations create. */
export const createdTables = (engine: Engine): string[] =>
  MIGRATIONS.flatMap(({ name }) => [...textOf(name, engine).matchAll(/^create table (\w+)/gm)]).map(
    ([, table = '']) => table,
  )

/** From this step on, a database has the hashes of its steps. */
export const HASHES_STEP = '0005-migration-hashes'

/**
 * Run in this order. A migration that has landed never changes (`service/content/migrations/SHA256SUMS`), and later ones only
 * add, because an instance of the previous release may still be running (or have a name that ends with `!`: migrate.ts).
 */
export const MIGRATIONS: readonly SchemaStep[] = [
  step('0001-initial'),
  step('0002-lineage-ancestors'),
  step('0003-search-users'),
  step('0004-hosted-domain'),
  step(HASHES_STEP),
  step('0006-login-starts'),
  step('0007-remove-user-search!'),
  step('0008-remove-partitions!'),
  step('0009-openid'),
]
