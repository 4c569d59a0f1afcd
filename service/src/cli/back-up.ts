import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { copyKeyFile } from '../keys.ts'
import { UsageProblem, understood } from './command.ts'

/** What is copied. No database is opened for it, because opening one would bring its tables up to date first. */
export interface Files {
  readonly config: { readonly dataDir: string; readonly databaseUrl: string | null; readonly serviceKeys: unknown }
  readonly databaseFile: string
  copyDatabase(file: string, target: string): void
  say(line: string): void
}

/** The database and the keys into a new folder, while the service runs. The folder is there when it is whole. */
export function backUp(args: readonly string[], { config, databaseFile, copyDatabase, say }: Files): void {
  const { folder, filesOnly } = readWords(args)
  const { dataDir, databaseUrl, serviceKeys } = config
  const isSqlite = databaseUrl === null
  if (!isSqlite && !filesOnly) {
    throw new Error(
      'The database is PostgreSQL: back it up with pg_dump (docs/operating.md), and what is beside it with --files. Nothing was written.',
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
    // The keys last: a key is in its file before anything in the database needs it.
    if (serviceKeys === null) copied.push(copyKeyFile(dataDir, unfinished))
    renameSync(unfinished, folder)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    throw error
  }
  say(`In ${folder}: ${copied.join(' and ') || 'nothing, because there is nothing beside PostgreSQL'}.`)
  if (!isSqlite) say('PostgreSQL is not in it: that is what pg_dump is for.')
  say(
    serviceKeys === null
      ? 'Whoever has a database and its keys has everything: keep them where only you can read them.'
      : 'The keys are not in it: they come from SERVICE_KEYS. Without them a database is worthless; keep them too.',
  )
}

function readWords(args: readonly string[]): { folder: string; filesOnly: boolean } {
  const { values, positionals } = understood(() =>
    parseArgs({ args: [...args], options: { files: { type: 'boolean' } }, allowPositionals: true }),
  )
  const [folder = '', ...more] = positionals
  if (folder === '' || more.length > 0) throw new UsageProblem('Say: backup [--files] <new folder>')
  return { folder, filesOnly: values.files ?? false }
}
