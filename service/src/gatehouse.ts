import { existsSync } from 'node:fs'
import path from 'node:path'
import { type Command, type CommandIo, UsageError } from './cli/command.ts'
import { COMMANDS } from './cli/commands.ts'
import { type ParsedCommand, parseCommand } from './cli/parse-command.ts'
import { type ProgressOutput, progressOn } from './cli/progress.ts'
import { type Config, readConfig } from './config.ts'
import { locateDatabase, SQLITE_FILE } from './storage/database-location.ts'
import { moveDatabase } from './storage/maintenance/move/move.ts'
import { openStorage } from './storage/open.ts'
import { copySqlite } from './storage/sqlite/file.ts'
import { describeFileError } from './storage/sqlite/file-errors.ts'
import { VERSION } from './version.ts'

type Print = (line: string) => void

interface Outputs {
  readonly stdout: ProgressOutput
  readonly stderr: ProgressOutput
}

/** The operator command. Uses the service's database and works while the service runs. Returns the exit code. */
export async function gatehouse(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  { stdout, stderr }: Outputs = process,
): Promise<number> {
  const print: Print = (line) => void stdout.write(`${line}\n`)
  const json = args.includes('--json')
  const fail = (message: string, code: number): number => {
    stderr.write(`${json ? JSON.stringify({ error: message }) : message}\n`)
    return code
  }

  if (args.length === 1 && args[0] === '--version') {
    print(`gatehouse ${VERSION}`)
    return 0
  }

  let parsed: ParsedCommand
  try {
    parsed = parseCommand(args, COMMANDS)
  } catch (error) {
    if (error instanceof UsageError) {
      return fail(error.message, 2)
    }
    throw error
  }
  if (parsed.kind === 'help') {
    print(parsed.text)
    return 0
  }

  const read = readConfig(env)
  if (!read.ok) {
    const problems = read.problems.map((problem) => `  - ${problem}`)
    return fail(['Please fix:', ...problems].join('\n'), 1)
  }

  try {
    await run(parsed.command, parsed, read.config, { print, stderr })
    return 0
  } catch (error) {
    return fail(describe(error, read.config), error instanceof UsageError ? 2 : 1)
  }
}

function run(
  command: Command,
  { input, json }: Extract<ParsedCommand, { kind: 'run' }>,
  config: Config,
  { print, stderr }: { readonly print: Print; readonly stderr: ProgressOutput },
): Promise<void> {
  const warn: Print = (line) => void stderr.write(`${line}\n`)
  const io: CommandIo = {
    config,
    now: Date.now(),
    emit: (record, text) => print(json ? JSON.stringify(record) : text),
    note(text) {
      if (!json) {
        print(text)
      }
    },
    open() {
      const database = locateDatabase(config)
      if (database.engine === 'sqlite') {
        requireDatabase(database.file)
      }
      return openStorage({ database, publish: () => {}, warn, timing: UNLIMITED })
    },
    files: { databaseFile: SQLITE_FILE, copyDatabase: copySqlite },
    move({ from, to, dryRun }) {
      const databases = {
        sqlite: locateDatabase({ ...config, databaseUrl: null }),
        postgres: locateDatabase(config),
      }
      return moveDatabase({
        from: databases[from],
        to: databases[to],
        dryRun,
        now: Date.now(),
        progress: progressOn(stderr),
        warn,
      })
    },
  }
  return command.run(input, io)
}

/** After a restore one statement ends all sessions, which takes minutes in a large database. The operator can interrupt a command. */
const UNLIMITED = { statementMs: 2 ** 31 - 1, responseMs: 2 ** 31 - 1 }

/** A command with a wrong DATA_DIR would create an empty database and report on that. */
function requireDatabase(file: string): void {
  if (!existsSync(file)) {
    throw new Error(
      `There is no database ${path.resolve(file)}. Set DATA_DIR to the folder of the service, or start the service once. Nothing was created.`,
    )
  }
}

function describe(error: unknown, { dataDir }: Config): string {
  const file = describeFileError(error, path.join(dataDir, SQLITE_FILE))
  if (file !== null) {
    return file
  }
  return error instanceof Error ? error.message : String(error)
}
