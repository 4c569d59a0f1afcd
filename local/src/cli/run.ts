import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { newerTools } from '../api/tenants.ts'
import { listenForInterruption } from '../interruption.ts'
import { program, repeatProject, servedFrom, VERSION } from '../invocation.ts'
import { nextStep, Problem, redactSecrets } from '../problem.ts'
import { COMMON_OPTIONS, type Command, parseCommand, usageProblem } from './command.ts'
import { CommandIo, createColors, supportsColor } from './command-io.ts'
import { COMMANDS, findCommand } from './commands/index.ts'
import { EXIT_CODES, exitCodeOf } from './exit-codes.ts'

/** Runs a command, prints its problem if it fails, and returns the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  const wantsJson = args.includes('--json')
  try {
    return await dispatch(args)
  } catch (error) {
    const problem = error instanceof Problem ? error : unexpected(error)
    if (wantsJson) {
      printJsonProblem(problem)
    } else {
      printProblem(problem, !args.includes('--no-color'))
    }
    if (!wantsJson && problem.code === 'usage') {
      await printNewerTools()
    }
    return exitCodeOf(problem)
  }
}

async function dispatch(args: readonly string[]): Promise<number> {
  const [first = 'help'] = args
  if (first === '--version' || first === '-v' || first === 'version') {
    return print(`${VERSION}\n`)
  }
  if (first === 'help' || first === '--help' || first === '-h') {
    const topic = args.slice(1).find((argument) => !argument.startsWith('-'))
    return print(topic === undefined ? overview() : commandHelp(requireCommand(topic)))
  }
  const { name, rest } = splitCommand(args)
  if (name === undefined) {
    throw usageProblem('There are options, but no command.')
  }
  const command = requireCommand(name)
  const { positionals, options, common, wantsHelp } = parseCommand(command, rest)
  repeatProject(common.project)
  if (wantsHelp) {
    return print(commandHelp(command))
  }
  if (command.endsOnSignal !== true) {
    listenForInterruption()
  }
  return (await command.run(new CommandIo(common), positionals, options)) ?? EXIT_CODES.success
}

function requireCommand(name: string) {
  const command = findCommand(name)
  if (command === undefined) {
    throw usageProblem(`Unknown command "${name}".`)
  }
  return command
}

function print(text: string): number {
  process.stdout.write(text)
  return EXIT_CODES.success
}

function printJsonProblem({ code, message, next, lines, retryAfterSeconds }: Problem): void {
  const error = {
    code,
    message,
    next: next.cli,
    ...(lines.length === 0 ? {} : { problems: lines }),
    ...(retryAfterSeconds === null ? {} : { retry_after_seconds: retryAfterSeconds }),
  }
  process.stdout.write(`${redactSecrets(JSON.stringify({ error }))}\n`)
}

function printProblem({ message, next, lines }: Problem, mayColor: boolean): void {
  const { red, dim } = createColors(mayColor && supportsColor(process.stderr, process.env))
  const text = [
    `${red('✗')} ${message}`,
    ...lines.map((line) => `  - ${line}`),
    `  ${dim('→')} ${next.cli}`,
  ].join('\n')
  process.stderr.write(`${redactSecrets(text)}\n`)
}

/** The documentation of an upgraded service names commands and options that older tools don't have. */
async function printNewerTools(): Promise<void> {
  const service = servedFrom()
  const newer = service === null ? null : await newerTools(service)
  if (newer !== null) {
    process.stderr.write(`  ${newer.message}\n  → ${newer.fix}\n`)
  }
}

const unexpected = (error: unknown): Problem =>
  new Problem(
    'unexpected',
    `Unexpected error: ${error instanceof Error ? error.message : String(error)}`,
    nextStep('This is a bug. Please report it, with the command you ran.'),
    { cause: error },
  )

/** The options of every command: which of them take a value decides which argument is the command's name. */
const OPTIONS: ParseArgsOptionsConfig = Object.assign(
  {},
  COMMON_OPTIONS,
  ...COMMANDS.map(({ options }) => options),
)

/** The name of the command, which may stand after options, and all other arguments. */
function splitCommand(args: readonly string[]): {
  name: string | undefined
  rest: readonly string[]
} {
  // Not strict: the command itself reports options that it does not have.
  const { tokens } = parseArgs({
    args: [...args],
    options: OPTIONS,
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const verb = tokens.find(({ kind }) => kind === 'positional')
  return verb === undefined
    ? { name: undefined, rest: args }
    : { name: args[verb.index], rest: args.toSpliced(verb.index, 1) }
}

const COMMON = `Common options: --project <folder>, --json, --no-color, --help.
Exit codes: 0 success, 1 failed, 2 usage error, 3 service unreachable, 4 .service file unusable,
5 rate limited, 130 interrupted.
`

const head =
  (): string => `gatehouse-local: set up "Sign in with Google" for your app from your machine

Usage: ${program()} <command> [options]
`

function overview(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length))
  const commands = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  const help = `  ${'help'.padEnd(width)}  show this overview, or the help of one command: help <command>`
  return [head(), ...commands, help, '', COMMON].join('\n')
}

function commandHelp({ name, synopsis, summary, details = [] }: Command): string {
  const usage = `Usage: ${program()} ${name} ${synopsis}`.trimEnd()
  return [
    usage,
    '',
    `${summary[0]?.toUpperCase()}${summary.slice(1)}.`,
    ...details,
    '',
    COMMON,
  ].join('\n')
}
