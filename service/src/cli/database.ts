import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { copyKeyFile, rotateKeyFile } from '../keys.ts'
import {
  type CommandInput,
  type CommandIo,
  defineCommand,
  type EngineName,
  onDatabase,
  textOption,
  UsageError,
} from './command.ts'

export const backUp = defineCommand({
  name: 'backup',
  synopsis: '[--files] <new folder>',
  summary: 'copy SQLite and the key file, also while the service runs',
  options: { files: { type: 'boolean', help: 'with PostgreSQL: copy only the key file' } },
  positionals: { min: 1, max: 1 },
  run: async ({ values, positionals: [folder = ''] }, io) =>
    copyInto(folder, values.files === true, io),
})

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
  if (isSqlite && !existsSync(source)) {
    throw new Error(`There is no database ${source}. Set DATA_DIR. Nothing was written.`)
  }

  const hasKeyFile = serviceKeys === null
  const copied = writeFolder(folder, (unfinished) => {
    const names: string[] = []
    if (isSqlite) {
      files.copyDatabase(source, path.join(unfinished, files.databaseFile))
      names.push(files.databaseFile)
    }
    // The keys last: a new key is in its file before the database refers to it.
    if (hasKeyFile) {
      names.push(copyKeyFile(dataDir, unfinished))
    }
    return names
  })

  const lines = [`Backed up to ${folder}: ${copied.join(' and ') || 'no files'}.`]
  if (!isSqlite) {
    lines.push('PostgreSQL is not included: back it up with pg_dump.')
  }
  lines.push(
    hasKeyFile
      ? 'The database and its keys together give access to everything. Store them where only you can read them.'
      : 'The keys are not included: they come from SERVICE_KEYS. Keep them: a restored database is useless without them.',
  )
  emit({ folder, files: copied }, lines.join('\n'))
}

/** Calls `write` with a temporary folder, which gets its final name once it is complete. */
function writeFolder<T>(folder: string, write: (unfinished: string) => T): T {
  const target = path.resolve(folder)
  const unfinished = `${target}.unfinished-${randomBytes(6).toString('hex')}`
  try {
    if (existsSync(target) && readdirSync(target).length > 0) {
      throw new Error(`${folder} is not empty, and a backup overwrites nothing. Name a new folder.`)
    }
    mkdirSync(path.dirname(target), { recursive: true })
    mkdirSync(unfinished, { mode: 0o700 })
    const written = write(unfinished)
    renameSync(unfinished, target)
    return written
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    const { path: failed, message } = error as NodeJS.ErrnoException
    const isInBackup = failed?.startsWith(unfinished) === true
    const isAboveBackup = failed !== undefined && target.startsWith(failed)
    if (!isInBackup && !isAboveBackup) {
      throw error
    }
    throw new Error(
      `The backup could not be written to ${folder} (${message}). Free some space there and let this user write, or name another folder. Nothing was written.`,
      { cause: error },
    )
  }
}

/** Moves the whole deployment, stopped, to the other engine. Both databases are named by the settings of the service. */
export const move = defineCommand({
  name: 'move',
  synopsis: '--from sqlite --to postgres [--dry-run]',
  summary:
    'copy the stopped deployment to the other engine, or back with --from postgres --to sqlite',
  options: {
    from: { type: 'string', help: 'sqlite or postgres' },
    to: { type: 'string', help: 'the other one' },
    'dry-run': { type: 'boolean', help: 'only check' },
  },
  positionals: { min: 0, max: 0 },
  async run(input, { config, move, emit }) {
    const { from, to, dryRun } = readEngines(input)
    if (config.databaseUrl === null) {
      throw new Error(
        'Set DATABASE_URL to the PostgreSQL database, as the service reads it. The SQLite file is the one in DATA_DIR.',
      )
    }
    const { tables, source } = await move({ from, to, dryRun })
    const rows = tables.reduce((all, table) => all + table.rows, 0)
    const lines = tables.map((table) => `${number(table.rows).padStart(12)}  ${table.name}`)
    if (source === null) {
      lines.push(
        `Nothing was written. The move would copy ${number(rows)} rows; nothing prevents it.`,
      )
    } else {
      lines.push(`Moved ${number(rows)} rows, and compared them with the source.`, source, NEXT[to])
    }
    emit({ from, to, moved: source !== null, rows, tables }, lines.join('\n'))
  },
})

const NEXT: Readonly<Record<EngineName, string>> = {
  postgres: 'Next: start the service with DATABASE_URL set. keys.json stays in DATA_DIR.',
  sqlite: 'Next: unset DATABASE_URL, then start the service. keys.json stays in DATA_DIR.',
}

function readEngines({ values }: CommandInput<'from' | 'to' | 'dry-run'>): {
  from: EngineName
  to: EngineName
  dryRun: boolean
} {
  const { from, to } = values
  const dryRun = values['dry-run'] === true
  if (from === 'sqlite' && to === 'postgres') {
    return { from, to, dryRun }
  }
  if (from === 'postgres' && to === 'sqlite') {
    return { from, to, dryRun }
  }
  throw new UsageError(
    'Usage: gatehouse move --from sqlite --to postgres [--dry-run], or --from postgres --to sqlite',
  )
}

const number = (value: number): string => value.toLocaleString('en')

const SKIP_DEFAULT = 1_000_000
/** Keeps ids below Number.MAX_SAFE_INTEGER, even after many restores. */
const SKIP_MAX = 1_000_000_000

/** Run once after restoring a backup, before the service starts. */
export const restored = defineCommand({
  name: 'restored',
  synopsis: '[--sign-out] [--skip-ids <n>]',
  summary: 'run once after restoring a backup, before the service starts',
  options: {
    'sign-out': {
      type: 'boolean',
      help: 'end all sessions of users and owners, and disconnect all agents',
    },
    'skip-ids': {
      type: 'string',
      help: 'how many ids to skip in every table, a million by default',
    },
  },
  positionals: { min: 0, max: 0 },
  run: onDatabase(async (input, { restored: restore, emit }) => {
    const skipIds = Number(textOption(input, 'skip-ids') ?? SKIP_DEFAULT)
    if (!Number.isInteger(skipIds) || skipIds < 1 || skipIds > SKIP_MAX) {
      throw new UsageError(
        `--skip-ids takes a whole number from 1 to ${SKIP_MAX}. Nothing was changed.`,
      )
    }
    const signOut = input.values['sign-out'] === true
    const { users, owners, agents } = await restore({ skipIds, signOut })
    const sessions = signOut
      ? `Ended all sessions: ${users} of users and ${owners} of owners. Disconnected ${agents} agents.`
      : 'Sessions are as in the backup. To end all of them, run this command with --sign-out.'
    emit(
      { skipped_ids: skipIds, signed_out: signOut, users, owners, agents },
      `Skipped ${skipIds} ids in every table, so that ids assigned after the backup are not reused.\n${sessions}`,
    )
  }),
})

/** Adds a master key. The old keys keep verifying what they signed. */
export const rotateKeys = defineCommand({
  name: 'keys rotate',
  synopsis: '',
  summary: 'add a master key; on PostgreSQL run it twice (docs/operating.md)',
  positionals: { min: 0, max: 0 },
  async run(_input, { config, emit, open }) {
    if (config.serviceKeys !== null) {
      throw new Error(
        'The keys come from SERVICE_KEYS. Add a new pair <next number>:<32 random bytes in base64> after the current ones on every instance and restart them all; then move it to the front everywhere and restart again.',
      )
    }
    // Fails before the file changes if the settings name no database of this service.
    const database = await open()
    await database.close()

    const { file, kid, promoted } = rotateKeyFile(config.dataDir, config.databaseUrl !== null)
    const text = promoted
      ? `Key ${kid} signs from the next start on. Restart the service. Keep the old keys in ${file}: they still verify.`
      : `Added key ${kid} to ${file}. It only verifies so far.\nCopy the file to every instance and restart all of them. Then run this command again, copy, and restart.`
    emit({ key: kid, file, signs: promoted }, text)
  },
})
