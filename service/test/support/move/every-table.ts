import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { movedTables } from '../../../src/storage/maintenance/move/schema.ts'
import type { StorageOptions } from '../../../src/storage/open.ts'

type Database = StorageOptions['database']
type Value = string | number | Uint8Array | null

const ROWS = 3
/** The last id of every sequence; the rows above were deleted. */
export const LAST_ID = 40

/** Columns that a constraint restricts. */
const FIXED: Readonly<Record<string, (row: number) => Value>> = {
  // A grant acts for an account or for a guest.
  'oauth_grants.guest_hash': () => null,
  'tenant_keys.tenant_id': (row) => `id ${row}`,
}

/** Puts rows with every type of value into every table of a migrated SQLite file, and deletes the newest. */
export async function fillEveryTable(file: string): Promise<void> {
  const db = new DatabaseSync(file)
  try {
    for (const { name, hasSequence } of await movedTables()) {
      const columns = db
        .prepare('select name, type, "notnull" as required from pragma_table_info(?)')
        .all(name)
      const insert = db.prepare(
        `insert into ${name} (${columns.map((column) => column.name).join()}) values (${columns.map(() => '?').join()})`,
      )
      for (let row = 1; row <= ROWS; row += 1) {
        insert.run(
          ...columns.map((column) => {
            const fixed = FIXED[`${name}.${column.name}`]
            if (fixed !== undefined) {
              return fixed(row)
            }
            if (column.required === 0 && row === 2 && !String(column.name).endsWith('account_id')) {
              return null
            }
            return sample(String(column.name), String(column.type), row)
          }),
        )
      }
      if (hasSequence) {
        db.prepare('update sqlite_sequence set seq = ? where name = ?').run(LAST_ID, name)
      }
    }
  } finally {
    db.close()
  }
}

function sample(column: string, type: string, row: number): Value {
  switch (type.toLowerCase()) {
    case 'text':
      return column === 'id' ? `id ${row}` : `${column} ${row} "'\\{},NULL\n\té 😀`
    case 'blob':
      return Uint8Array.from([0, 255, 92, row])
    case 'real':
      return [0.1, 3, 1e-7][row % 3] ?? 0
    default:
      return /(^|_)id$/.test(column) || type.toLowerCase() !== 'integer'
        ? row
        : smallOrLarge(column, row)
  }
}

/** Columns of 32 bits on PostgreSQL have small numbers. */
const smallOrLarge = (column: string, row: number): number =>
  /_at$|_ms$|^last_|^first_|expires|used|through/.test(column) ? Number.MAX_SAFE_INTEGER - row : row

/** Every moved table, its rows as text in a fixed order. */
export async function contentOf(database: Database): Promise<Record<string, unknown>> {
  const content: Record<string, unknown> = {}
  for (const { name, columns } of await movedTables()) {
    const rows = await select(database, `select ${columns.join()} from ${name}`)
    content[name] = rows
      .map((row) => JSON.stringify(columns.map((column) => plain(row[column]))))
      .sort()
  }
  return content
}

function plain(value: unknown): string | null {
  if (value === null) {
    return null
  }
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value)
}

async function select(database: Database, sql: string): Promise<Record<string, unknown>[]> {
  if (database.engine === 'sqlite') {
    const db = new DatabaseSync(database.file, { readOnly: true })
    try {
      return db.prepare(sql).all()
    } finally {
      db.close()
    }
  }
  const client = new Client(database.url)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
