import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Client } from 'pg'
import { SQLITE_FILE } from '../../../src/storage/database-location.ts'
import type { StorageOptions } from '../../../src/storage/open.ts'
import { fileOfRelease } from '../process/released.ts'
import type { Rows } from './database-rows.ts'
import { type Engine, emptyPostgres, freshFolder } from './engines.ts'

/** The content of a compressed file of a version in service/test/releases. */
export const keptFile = (version: string, file: string): Buffer =>
  gunzipSync(readFileSync(fileOfRelease(version, `${file}.gz`)))

/** A copy of the database and the master keys of a version, and the settings of an operator who starts on them. */
export async function restoreKept(
  version: string,
  engine: Engine,
): Promise<{ env: Readonly<Record<string, string>>; database: StorageOptions['database'] }> {
  const DATA_DIR = path.join(await freshFolder(), 'data')
  await mkdir(DATA_DIR, { mode: 0o700 })
  await writeFile(path.join(DATA_DIR, 'keys.json'), keptFile(version, `keys.${engine}.json`), {
    mode: 0o600,
  })
  if (engine === 'sqlite') {
    const file = path.join(DATA_DIR, SQLITE_FILE)
    await writeFile(file, keptFile(version, 'gatehouse.db'), { mode: 0o600 })
    return { env: { DATA_DIR }, database: { engine, file } }
  }
  const DATABASE_URL = await emptyPostgres()
  const client = new Client(DATABASE_URL)
  await client.connect()
  try {
    await client.query(keptFile(version, 'gatehouse.sql').toString())
  } finally {
    await client.end()
  }
  return { env: { DATA_DIR, DATABASE_URL }, database: { engine, url: DATABASE_URL } }
}

/** On SQLite only a restore writes a lineage; `moved` marks a database that was left. */
const MAY_BE_EMPTY: Readonly<Record<Engine, readonly string[]>> = {
  sqlite: ['lineage'],
  postgres: ['moved'],
}

export const emptyTables = (engine: Engine, rows: Rows): string[] =>
  Object.keys(rows).filter(
    (table) => rows[table]?.length === 0 && !MAY_BE_EMPTY[engine].includes(table),
  )
