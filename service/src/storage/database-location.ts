import { join } from 'node:path'

/** The name of the SQLite file in the data folder. */
export const SQLITE_FILE = 'gatehouse.db'

/** The name of the key file in the data folder (keys.ts). */
export const KEY_FILE = 'keys.json'

/** The file or URL of the database of this process. */
export type DatabaseLocation =
  | {
      readonly engine: 'sqlite'
      readonly file: string
      /** The key file in the data folder, which must not be there if the file is missing (missing-database.ts). */
      readonly keyFile?: string
    }
  | {
      readonly engine: 'postgres'
      readonly url: string
      /** If `url` leads to a pooler: the server itself. */
      readonly directUrl?: string
      /** The SQLite file in the data folder, which must not contain tenants if this database has none (unserved-tenants.ts). */
      readonly leftoverFile?: string
    }

/** PostgreSQL if `DATABASE_URL` is set, otherwise the SQLite file in the data folder. */
export function locateDatabase(settings: {
  readonly databaseUrl: string | null
  readonly databaseUrlDirect?: string | null
  readonly dataDir: string
}): DatabaseLocation {
  const file = join(settings.dataDir, SQLITE_FILE)
  if (settings.databaseUrl === null) return { engine: 'sqlite', file, keyFile: join(settings.dataDir, KEY_FILE) }
  const { databaseUrl: url, databaseUrlDirect } = settings
  return { engine: 'postgres', url, directUrl: databaseUrlDirect ?? url, leftoverFile: file }
}
