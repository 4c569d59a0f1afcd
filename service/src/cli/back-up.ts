import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { copyKeyFile } from '../keys.ts'
import { orUsageError, UsageError } from './command.ts'

/** Copies files and does not open the database, because opening it would migrate the schema first. */
export interface BackupIo {
  readonly config: { readonly dataDir: string; readonly databaseUrl: string | null; readonly serviceKeys: unknown }
  readonly databaseFile: string
  copyDatabase(file: string, target: string): void
  print(line: string): void
}

/** Copies the database and the key file into a new folder, which appears only when it is complete. */
export function backUp(args: readonly string[], { config, databaseFile, copyDatabase, print }: BackupIo): void {
  const { folder, filesOnly } = readBackupArgs(args)
  const { dataDir, databaseUrl, serviceKeys } = config
  const isSqlite = databaseUrl === null
  if (!isSqlite && !filesOnly) {
    throw new Error(
      'The database is PostgreSQL: back it up with pg_dump (docs/operating.md), and the key file with --files. Nothing was written.',
    )
  }
  const source = path.join(dataDir, databaseFile)
  if (isSqlite && !existsSync(source))
    throw new Error(`There is no database ${source}. Set DATA_DIR. Nothing was written.`)
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new Error(`${folder} is not empty, and a backup overwrites nothing. Name a new folder.`)
  }

  mkdirSync(path.dirname(path.resolve(folder)), { recursive: true })
  const unfinished = `${path.resolve(folder)}.unfinished-${randomBytes(6).toString('hex')}`
  mkdirSync(unfinished, { mode: 0o700 })
  const copied: string[] = []
  try {
    if (isSqlite) {
      copyDatabase(source, path.join(unfinished, databaseFile))
      copied.push(databaseFile)
    }
    // The keys last: a new key is in its file before the database refers to it.
    if (serviceKeys === null) copied.push(copyKeyFile(dataDir, unfinished))
    renameSync(unfinished, folder)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    throw error
  }
  print(`Backed up to ${folder}: ${copied.join(' and ') || 'no files'}.`)
  if (!isSqlite) print('PostgreSQL is not included: back it up with pg_dump.')
  print(
    serviceKeys === null
      ? 'The database and its keys together give access to everything. Store them where only you can read them.'
      : 'The keys are not included: they come from SERVICE_KEYS. Keep them: a restored database is useless without them.',
  )
}

function readBackupArgs(args: readonly string[]): { folder: string; filesOnly: boolean } {
  const { values, positionals } = orUsageError(() =>
    parseArgs({ args: [...args], options: { files: { type: 'boolean' } }, allowPositionals: true }),
  )
  const [folder = '', ...more] = positionals
  if (folder === '' || more.length > 0) throw new UsageError('Usage: gatehouse backup [--files] <new folder>')
  return { folder, filesOnly: values.files ?? false }
}
