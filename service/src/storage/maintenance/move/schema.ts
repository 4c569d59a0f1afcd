import { Kysely } from 'kysely'
import type { Engine } from '../../engine.ts'
import { migrate } from '../../migrate.ts'
import { MIGRATIONS } from '../../migrations.ts'
import { sqliteDialect } from '../../sqlite/dialect.ts'
import { SqliteDriver } from '../../sqlite/driver.ts'
import { openInMemory, type SqliteFile } from '../../sqlite/file.ts'
import type { Tables } from '../../tables/tables.ts'
import { type FoundSchema, type MovedTable, MoveRefused, type Side } from './sides.ts'

/**
 * Tables that belong to one database and not to the data: its schema level, the history of its server (of which
 * only the id floor is copied), and the mark that its data was moved.
 */
const NOT_MOVED: Readonly<Record<Engine, readonly string[]>> = {
  sqlite: ['migrations', 'migration_hashes', 'migration_lock', 'lineage'],
  postgres: ['migrations', 'migration_hashes', 'migration_lock', 'lineage', 'moved'],
}

/** The tables of this version, a table after those that it references. Read from a database that the migrations create. */
export async function movedTables(): Promise<MovedTable[]> {
  const file = openInMemory()
  const driver = new SqliteDriver(file)
  await migrate(new Kysely<Tables>({ dialect: sqliteDialect(driver) }), 'sqlite')
  try {
    const tables = sqliteTables(file).filter(({ name }) => !NOT_MOVED.sqlite.includes(name))
    return inOrderOfReferences(tables, (name) => referencesOf(file, name))
  } finally {
    await driver.destroy()
  }
}

export function sqliteTables(file: SqliteFile): MovedTable[] {
  const { rows } = file.run(
    `select name, sql like '%autoincrement%' as sequence from sqlite_master join pragma_table_list using (name)
      where pragma_table_list.type = 'table' and name not like 'sqlite#_%' escape '#' order by name`,
    [],
  )
  return (rows as { name: string; sequence: number }[]).map(({ name, sequence }) => ({
    name,
    columns: columnsOf(file, name),
    hasSequence: sequence === 1,
  }))
}

function columnsOf(file: SqliteFile, table: string): string[] {
  const { rows } = file.run('select name from pragma_table_info(?)', [table])
  return (rows as { name: string }[]).map(({ name }) => name)
}

function referencesOf(file: SqliteFile, table: string): string[] {
  const { rows } = file.run('select "table" as name from pragma_foreign_key_list(?)', [table])
  return (rows as { name: string }[]).map(({ name }) => name)
}

function inOrderOfReferences(
  tables: readonly MovedTable[],
  references: (name: string) => string[],
): MovedTable[] {
  const ordered = new Set<MovedTable>()
  const add = (table: MovedTable): void => {
    for (const name of references(table.name)) {
      const referenced = tables.find((other) => other.name === name)
      if (referenced !== undefined && referenced !== table) {
        add(referenced)
      }
    }
    ordered.add(table)
  }
  tables.forEach(add)
  return [...ordered]
}

/** Columns of one engine, filled by their default: the transaction that PostgreSQL's feed follows. */
const NOT_MOVED_COLUMNS: readonly string[] = ['revocations.txid']

/** Refuses a database that is not exactly of this version: what this version doesn't know would be left behind. */
export function checkSchema(
  { engine, name }: Side,
  found: FoundSchema,
  tables: readonly MovedTable[],
): void {
  const known = MIGRATIONS.map((migration) => migration.name)
  const missing = known.filter((migration) => !found.migrations.includes(migration))
  if (missing.length > 0) {
    throw new MoveRefused(
      `${name} has an older schema (without ${missing.join(', ')}). Start this version on it once and stop it, then try again.`,
    )
  }
  const newer = found.migrations.filter((migration) => !known.includes(migration))
  if (newer.length > 0) {
    throw new MoveRefused(
      `${name} has a newer schema (${newer.join(', ')}). Use the version that it was used with.`,
    )
  }
  rejectUnknownTables({ engine, name }, found, tables)
  for (const { name: table, columns } of tables) {
    const has = (found.tables.get(table) ?? []).filter(
      (column) => !NOT_MOVED_COLUMNS.includes(`${table}.${column}`),
    )
    if (has.toSorted().join() === columns.toSorted().join()) {
      continue
    }
    throw new MoveRefused(
      `${name} has another table ${table} than this version. Use the version that it was used with.`,
    )
  }
}

export function rejectUnknownTables(
  { engine, name }: Pick<Side, 'engine' | 'name'>,
  found: FoundSchema,
  tables: readonly MovedTable[],
): void {
  const expected = [...tables.map((table) => table.name), ...NOT_MOVED[engine]]
  const unknown = [...found.tables.keys()].filter((table) => !expected.includes(table))
  if (unknown.length === 0) {
    return
  }
  throw new MoveRefused(
    `${name} has tables that are not Gatehouse's (${unknown.join(', ')}). Give Gatehouse a schema or a database of its own, or drop them.`,
  )
}
