import { backUp } from './cli/back-up.ts'
import { type Command, UsageProblem } from './cli/command.ts'
import { listFeedback } from './cli/list-feedback.ts'
import { listTenants } from './cli/list-tenants.ts'
import { restored } from './cli/restored.ts'
import { rotateKeys } from './cli/rotate-keys.ts'
import { setTier } from './cli/set-tier.ts'
import { type Config, readConfig } from './config.ts'
import { databaseAddress, SQLITE_FILE } from './storage/database-address.ts'
import { openStorage } from './storage/open.ts'
import { copySqlite } from './storage/sqlite/copy.ts'

const USAGE = `Usage: gatehouse <command>

  account set-tier <email> free|plus|pro     what an owner may use
  tenants list [--after <id>] [--limit <n>]  every tenant, with its state and owner
  feedback list [--after <id>] [--limit <n>] what people wrote, oldest first
  keys rotate                                sign with a new master key from the next start on
  backup [--files] <new folder>              SQLite and the keys, while the service runs; --files: only the keys, beside PostgreSQL
  restored [--sign-out] [--skip-ids <n>]     once after a restore, before the service starts

Add --json for one JSON object a line. Settings come from the environment, as for the service (.env.example).
Exit codes: 0 done, 1 refused or failed, 2 not understood.
`

const COMMANDS: Readonly<Record<string, Command>> = {
  'account set-tier': setTier,
  'tenants list': listTenants,
  'feedback list': listFeedback,
  'keys rotate': rotateKeys,
}

/** The operator's command: the same operations on the same database, while the service runs or while it does not. */
export async function gatehouse(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const say = (line: string): void => void process.stdout.write(`${line}\n`)
  const complain = (line: string): void => void process.stderr.write(`${line}\n`)
  const task = taskOf(args)
  if (task === null) {
    complain(USAGE)
    return 2
  }
  const read = readConfig(env)
  if (!read.ok) {
    complain(['Please fix:', ...read.problems.map((problem) => `  - ${problem}`)].join('\n'))
    return 1
  }
  try {
    await task(read.config, say, complain)
    return 0
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error))
    return error instanceof UsageProblem ? 2 : 1
  }
}

type Print = (line: string) => void
type Task = (config: Config, say: Print, complain: Print) => Promise<void>

function taskOf(args: readonly string[]): Task | null {
  const [first = '', ...rest] = args
  if (first === 'backup') {
    return async (config, say) => backUp(rest, { config, databaseFile: SQLITE_FILE, copyDatabase: copySqlite, say })
  }
  if (first === 'restored') return withCommandIo(restored, rest)
  const command = COMMANDS[args.slice(0, 2).join(' ')]
  return command === undefined ? null : withCommandIo(command, args.slice(2))
}

/** With the database open. */
const withCommandIo =
  (command: Command, args: readonly string[]): Task =>
  async (config, say, complain) => {
    const storage = await openStorage({
      database: databaseAddress(config),
      publish: () => {},
      warn: complain,
    })
    try {
      await command(args, { stores: storage.stores, config, now: Date.now(), restore: storage.restored, say })
    } finally {
      await storage.close()
    }
  }
