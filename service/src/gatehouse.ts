import path from 'node:path'
import { backUp } from './cli/back-up.ts'
import { type Command, UsageError } from './cli/command.ts'
import { deleteFeedback } from './cli/delete-feedback.ts'
import { deleteTenants } from './cli/delete-tenants.ts'
import { listFeedback } from './cli/list-feedback.ts'
import { listTenants } from './cli/list-tenants.ts'
import { move } from './cli/move.ts'
import { progressOn } from './cli/progress.ts'
import { restored } from './cli/restored.ts'
import { rotateKeys } from './cli/rotate-keys.ts'
import { setProjectLimit } from './cli/set-project-limit.ts'
import { setTier } from './cli/set-tier.ts'
import { type Config, readConfig } from './config.ts'
import { type DatabaseLocation, locateDatabase, SQLITE_FILE } from './storage/database-location.ts'
import type { Engine } from './storage/engine.ts'
import { moveDatabase } from './storage/move/move.ts'
import { openStorage } from './storage/open.ts'
import { copySqlite } from './storage/sqlite/copy.ts'
import { describeFileError } from './storage/sqlite/file-errors.ts'

const USAGE = `Usage: gatehouse <command>

  account set-tier <email> free|plus|pro     set the tier of an account
  account set-project-limit <email> <n>      set how many projects an account may own
  tenants list [--account <email>]           list tenants with status and tier
  tenants delete <id>…                       delete tenants with their users, sessions and history
  feedback list [--tenant <id>]              list feedback, oldest first
  feedback delete <number>… | --tenant <id>  delete feedback
  keys rotate                                add a master key that signs from the next start on
  backup [--files] <new folder>              copy SQLite and the key file, also while the service runs;
                                             --files: with PostgreSQL, copy only the key file
  restored [--sign-out] [--skip-ids <n>]     run once after restoring a backup, before the service starts;
                                             --sign-out: end all sessions
  move --from sqlite --to postgres           copy the stopped deployment to the other engine, or back with
                                             --from postgres --to sqlite; --dry-run: only check

Lists take --after <id> and --limit <n>, and --json for one JSON object per line. Settings come from the environment, as for the service (.env.example).
Exit codes: 0 success, 1 failed, 2 usage error.
`

const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ['account set-tier', setTier],
  ['account set-project-limit', setProjectLimit],
  ['tenants list', listTenants],
  ['tenants delete', deleteTenants],
  ['feedback list', listFeedback],
  ['feedback delete', deleteFeedback],
  ['keys rotate', rotateKeys],
])

/** The operator command. Uses the service's database and works while the service runs. */
export async function gatehouse(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const print: Print = (line) => void process.stdout.write(`${line}\n`)
  const printError: Print = (line) => void process.stderr.write(`${line}\n`)
  const task = findTask(args)
  if (task === null) {
    printError(USAGE)
    return 2
  }
  const read = readConfig(env)
  if (!read.ok) {
    printError(['Please fix:', ...read.problems.map((problem) => `  - ${problem}`)].join('\n'))
    return 1
  }
  try {
    await task(read.config, print, printError)
    return 0
  } catch (error) {
    printError(describe(error, read.config))
    return error instanceof UsageError ? 2 : 1
  }
}

function describe(error: unknown, { dataDir }: Config): string {
  const file = describeFileError(error, path.join(dataDir, SQLITE_FILE))
  if (file !== null) return file
  return error instanceof Error ? error.message : String(error)
}

type Print = (line: string) => void
type Task = (config: Config, print: Print, printError: Print) => Promise<void>

function findTask(args: readonly string[]): Task | null {
  const [first = '', ...rest] = args
  if (first === 'backup') {
    return async (config, print) => backUp(rest, { config, databaseFile: SQLITE_FILE, copyDatabase: copySqlite, print })
  }
  if (first === 'move') {
    return async (config, print, printError) => {
      const databases: Record<Engine, DatabaseLocation> = {
        sqlite: locateDatabase({ ...config, databaseUrl: null }),
        postgres: locateDatabase(config),
      }
      const progress = progressOn(process.stderr)
      await move(rest, {
        config,
        print,
        move: ({ from, to, dryRun }) =>
          moveDatabase({
            from: databases[from],
            to: databases[to],
            dryRun,
            now: Date.now(),
            progress,
            warn: printError,
          }),
      })
    }
  }
  if (first === 'restored') return withCommandIo(restored, rest)
  const command = COMMANDS.get(args.slice(0, 2).join(' '))
  return command === undefined ? null : withCommandIo(command, args.slice(2))
}

/** Opens the database for the command. */
const withCommandIo =
  (command: Command, args: readonly string[]): Task =>
  async (config, print, printError) => {
    const storage = await openStorage({
      database: locateDatabase(config),
      publish: () => {},
      warn: printError,
    })
    try {
      await command(args, { stores: storage.stores, config, now: Date.now(), restore: storage.restored, print })
    } finally {
      await storage.close()
    }
  }
