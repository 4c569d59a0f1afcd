import { existsSync } from 'node:fs'
import type { Database } from './database.ts'
import { openToInspect } from './sqlite/file.ts'

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
  throw new UnservedTenants(
    `DATABASE_URL names a database without tenants, but ${sqliteFile} holds ${count} ${count === 1 ? 'tenant' : 'tenants'}, which would stop working. To move them to PostgreSQL, run: ${MOVE_COMMAND}. Unset DATABASE_URL to keep serving them from SQLite, or rename the file to start empty on PostgreSQL.`,
  )
}

function countTenants(sqliteFile: string): number {
  try {
    const inspected = openToInspect(sqliteFile)
    try {
      const { rows: tables } = inspected.run(
        `select name from sqlite_master where type = 'table' and name = 'tenants'`,
        [],
      )
      if (tables.length === 0) {
        return 0
      }
      const [row] = inspected.run('select count(*) as count from tenants', []).rows as {
        count: number
      }[]
      return row?.count ?? 0
    } finally {
      inspected.close()
    }
  } catch (error) {
    const { cause = error } = error as Error
    throw new UnservedTenants(
      `DATABASE_URL names a database without tenants, and ${sqliteFile} cannot be read (${(cause as Error).message}), so it may hold some. See that it is whole and that this user may read it, or rename the file to start empty on PostgreSQL.`,
    )
  }
}
