import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { copyKeyFile } from '../../keys.ts'
import type { Command, CommandIo } from '../command.ts'

export const backUp: Command = {
  name: 'backup',
  synopsis: '[--files] <new folder>',
  summary: 'copy SQLite and the key file, also while the service runs',
  options: { files: { type: 'boolean', help: 'with PostgreSQL: copy only the key file' } },
  positionals: { min: 1, max: 1 },
  run: async ({ values, positionals: [folder = ''] }, io) => copyInto(folder, values.files === true, io),
}

/** Copies the database and the key file into a new folder, which appears only when it is complete. */
function copyInto(folder: string, filesOnly: boolean, { config, files, emit }: CommandIo): void {
  const { dataDir, databaseUrl, serviceKeys } = config
  const isSqlite = databaseUrl === null
  if (!isSqlite && !filesOnly) {
    throw new Error(
      'The database is PostgreSQL: back it up with pg_dump (docs/operating.md), and the key file with --files. Nothing was written.',
    )
  }
  const source = path.join(dataDir, files.databaseFile)
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
      files.copyDatabase(source, path.join(unfinished, files.databaseFile))
      copied.push(files.databaseFile)
    }
    // The keys last: a new key is in its file before the database refers to it.
    if (serviceKeys === null) copied.push(copyKeyFile(dataDir, unfinished))
    renameSync(unfinished, folder)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    throw error
  }
  const text = [
    `Backed up to ${folder}: ${copied.join(' and ') || 'no files'}.`,
    ...(isSqlite ? [] : ['PostgreSQL is not included: back it up with pg_dump.']),
    serviceKeys === null
      ? 'The database and its keys together give access to everything. Store them where only you can read them.'
      : 'The keys are not included: they come from SERVICE_KEYS. Keep them: a restored database is useless without them.',
  ]
  emit({ folder, files: copied }, text.join('\n'))
}
