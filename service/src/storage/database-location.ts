import { join } from 'node:path'

/** The name of the SQLite file in the data folder. */
export const SQLITE_FILE = 'gatehouse.db'

/** The file or URL of the database of this process. */
export type DatabaseLocation =
  | { readonly engine: 'sqlite'; readonly file: string }
  | {
      readonly engine: 'postgres'
      readonly url: string
      /** The SQLite file in the data folder, which must not contain tenants if this database has none (unserved-tenants.ts). */
      readonly leftoverFile?: string
    }

/** PostgreSQL if `DATABASE_URL` is set, otherwise the SQLite file in the data folder. */
export function locateDatabase(settings: {
  readonly databaseUrl: string | null
  readonly dataDir: string
}): DatabaseLocation {
  const file = join(settings.dataDir, SQLITE_FILE)
  if (settings.databaseUrl === null) return { engine: 'sqlite', file }
  return { engine: 'postgres', url: settings.databaseUrl, leftoverFile: file }
}
