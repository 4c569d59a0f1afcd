import { readFileSync } from 'node:fs'
import { chmod, copyFile, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Client } from 'pg'
import { SQLITE_FILE } from '../../../src/storage/database-location.ts'
import { fileOfRelease } from '../process/released.ts'
import { type Engine, emptyPostgres, freshFolder } from './engines.ts'

export interface KeptDatabase {
  readonly DATA_DIR: string
  readonly DATABASE_URL?: string
}

/** A copy of the database and the master keys of a version in service/test/releases, as the settings of an operator. */
export async function restoreKept(version: string, engine: Engine): Promise<KeptDatabase> {
  const unpacked = (file: string): Buffer => gunzipSync(readFileSync(fileOfRelease(version, file)))
  const DATA_DIR = path.join(await freshFolder(), 'data')
  await mkdir(DATA_DIR, { mode: 0o700 })
  const keys = path.join(DATA_DIR, 'keys.json')
  await copyFile(fileOfRelease(version, 'keys.json'), keys)
  // git keeps no modes but that of programs.
  await chmod(keys, 0o600)
  if (engine === 'sqlite') {
    await writeFile(path.join(DATA_DIR, SQLITE_FILE), unpacked('gatehouse.db.gz'), { mode: 0o600 })
    return { DATA_DIR }
  }
  const DATABASE_URL = await emptyPostgres()
  const client = new Client(DATABASE_URL)
  await client.connect()
  try {
    await client.query(unpacked('gatehouse.sql.gz').toString())
  } finally {
    await client.end()
  }
  return { DATA_DIR, DATABASE_URL }
}
