import { join } from 'node:path'

/** The name of the SQLite file in the data folder. */
export const SQLITE_FILE = 'gatehouse.db'

/** Where the one database of this process is. */
export type DatabaseLocation =
  | { readonly engine: 'sqlite'; readonly file: string }
  | {
      readonly engine: 'postgres'
      readonly url: string
      /** A SQLite file whose tenants must not be hidden by an empty PostgreSQL database (unserved-tenants.ts). */
      readonly leftoverFile?: string
    }

/** What the operator set: PostgreSQL if there is an address of it, otherwise the SQLite file in the data folder. */
export function locateDatabase(settings: {
  readonly databaseUrl: string | null
  readonly dataDir: string
}): DatabaseLocation {
  const file = join(settings.dataDir, SQLITE_FILE)
  if (settings.databaseUrl === null) return { engine: 'sqlite', file }
  return { engine: 'postgres', url: settings.databaseUrl, leftoverFile: file }
}
