import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** The name of the SQLite file in the data folder. */
export const SQLITE_FILE = 'gatehouse.db'

/** The name of the key file in the data folder (keys.ts). */
export const KEY_FILE = 'keys.json'

/** The file or URL of the database of this process. */
export type DatabaseLocation = SqliteLocation | PostgresLocation

interface SqliteLocation {
  readonly engine: 'sqlite'
  readonly file: string
  /** The key file in the data folder, which must not be there if the file is missing (`rejectMissingDatabase`). */
  readonly keyFile?: string
}

export interface PostgresLocation {
  readonly engine: 'postgres'
  readonly url: string
  /** If `url` leads to a pooler: the server itself. */
  readonly directUrl?: string
  /** Patroni's REST API on each node. */
  readonly patroniUrls?: readonly string[]
  /** The SQLite file in the data folder, which must not contain tenants if this database has none (unserved-tenants.ts). */
  readonly leftoverFile?: string
}

/** PostgreSQL if `DATABASE_URL` is set, otherwise the SQLite file in the data folder. */
export function locateDatabase(settings: {
  readonly databaseUrl: string | null
  readonly databaseUrlDirect?: string | null
  readonly patroniUrls?: readonly string[]
  readonly dataDir: string
}): DatabaseLocation {
  const file = join(settings.dataDir, SQLITE_FILE)
  if (settings.databaseUrl === null) {
    return { engine: 'sqlite', file, keyFile: join(settings.dataDir, KEY_FILE) }
  }
  const { databaseUrl: url, databaseUrlDirect, patroniUrls = [] } = settings
  return {
    engine: 'postgres',
    url,
    directUrl: databaseUrlDirect ?? url,
    patroniUrls,
    leftoverFile: file,
  }
}

/** The key file was created for a database that is not there. */
export class MissingDatabase extends Error {}

/**
 * Rejects a start that would create an empty database beside the key file of another one: a lost or renamed file would look
 * like an installation without tenants, and every key and login link would silently stop working.
 */
export function rejectMissingDatabase(file: string, keyFile: string): void {
  if (!existsSync(keyFile) || !isMissing(file)) {
    return
  }
  const folder = dirname(file)
  const moved = readdirSync(folder)
    .filter((name) => name.startsWith(`${basename(file)}.moved-`))
    .toSorted()
    .at(-1)
  const fix =
    moved === undefined
      ? 'Restore it from a backup, or set DATA_DIR to the folder that has it'
      : `It was moved to PostgreSQL (${join(folder, moved)}): set DATABASE_URL`
  throw new MissingDatabase(
    `${keyFile} is there, but its database ${file} is missing or empty. ${fix}. To start without data on purpose, move ${keyFile} away too.`,
  )
}

/** A new database has its content in the log until the first checkpoint. */
function isMissing(file: string): boolean {
  const size = (name: string): number => statSync(name, { throwIfNoEntry: false })?.size ?? 0
  return size(file) === 0 && size(`${file}-wal`) === 0
}
