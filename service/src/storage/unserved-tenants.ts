import { existsSync } from 'node:fs'
import type { Database } from './database.ts'
import { databaseErrorOf } from './database-errors.ts'
import { openToInspect, type SqliteFile } from './sqlite/file.ts'

/** Takes DATA_DIR and DATABASE_URL from the settings of the refused start. */
const MOVE_COMMAND = 'npm run -s gatehouse -- move --from sqlite --to postgres'

/** The database has no tenants, but the SQLite file in the data folder does. */
export class UnservedTenants extends Error {}

/**
 * Rejects a database without tenants if the SQLite file in the data folder has some. Otherwise setting DATABASE_URL on an
 * existing installation would silently make every key invalid and every login link unknown.
 */
export async function rejectUnservedTenants(database: Database, sqliteFile: string): Promise<void> {
  if (!existsSync(sqliteFile)) {
    return
  }
  const known = await database.read.selectFrom('tenants').select('id').limit(1).executeTakeFirst()
  if (known !== undefined) {
    return
  }
  const count = countTenants(sqliteFile)
  if (count === 0) {
    return
  }
  const tenants = count === 1 ? '1 tenant' : `${count} tenants`
  throw new UnservedTenants(
    `DATABASE_URL names a database without tenants, but ${sqliteFile} holds ${tenants}, which would stop working. To move them to PostgreSQL, run: ${MOVE_COMMAND}. Unset DATABASE_URL to keep serving them from SQLite, or rename the file to start empty on PostgreSQL.`,
  )
}

function countTenants(sqliteFile: string): number {
  try {
    const inspected = openToInspect(sqliteFile)
    try {
      return countRows(inspected)
    } finally {
      inspected.close()
    }
  } catch (error) {
    const { message } = databaseErrorOf(error) as Error
    throw new UnservedTenants(
      `DATABASE_URL names a database without tenants, and ${sqliteFile} cannot be read (${message}), so it may hold some. See that it is whole and that this user may read it, or rename the file to start empty on PostgreSQL.`,
    )
  }
}

function countRows(inspected: SqliteFile): number {
  const table = inspected.run(
    `select name from sqlite_master where type = 'table' and name = 'tenants'`,
    [],
  )
  if (table.rows.length === 0) {
    return 0
  }
  const { rows } = inspected.run('select count(*) as count from tenants', [])
  const [counted] = rows as { readonly count: number }[]
  return counted?.count ?? 0
}
