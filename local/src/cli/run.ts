import { listenForInterruption } from '../interruption.ts'
import { repeatProject } from '../invocation.ts'
import { nextStep, Problem } from '../problem.ts'
import { redactSecrets } from '../redact.ts'
import { VERSION } from '../version.ts'
import { createColors, supportsColor } from './colors.ts'
import { parseCommand, usageProblem } from './command.ts'
import { CommandIo } from './command-io.ts'
import { findCommand } from './commands/index.ts'
import { EXIT_CODES, exitCodeOf } from './exit-codes.ts'
import { commandHelp, overview } from './help.ts'
import { splitCommand } from './split-command.ts'

/** Runs a command, prints its problem if it fails, and returns the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  const wantsJson = args.includes('--json')
  try {
    return await dispatch(args)
  } catch (error) {
    const problem = error instanceof Problem ? error : unexpected(error)
    if (wantsJson) printJsonProblem(problem)
    else printProblem(problem, !args.includes('--no-color'))
    return exitCodeOf(problem)
  }
}

async function dispatch(args: readonly string[]): Promise<number> {
  const [first = 'help'] = args
  if (first === '--version' || first === '-v' || first === 'version') return print(`${VERSION}\n`)
  if (first === 'help' || first === '--help' || first === '-h') {
    const topic = args.slice(1).find((argument) => !argument.startsWith('-'))
    return print(topic === undefined ? overview() : commandHelp(requireCommand(topic)))
  }
  const { name, rest } = splitCommand(args)
  if (name === undefined) throw usageProblem('There are options, but no command.')
  const command = requireCommand(name)
  const { positionals, options, common, wantsHelp } = parseCommand(command, rest)
  repeatProject(common.project)
  if (wantsHelp) return print(commandHelp(command))
  if (command.endsOnSignal !== true) listenForInterruption()
  return (await command.run(new CommandIo(common), positionals, options)) ?? EXIT_CODES.success
}

function requireCommand(name: string) {
  const command = findCommand(name)
  if (command === undefined) throw usageProblem(`Unknown command "${name}".`)
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
  const text = [`${red('✗')} ${message}`, ...lines.map((line) => `  - ${line}`), `  ${dim('→')} ${next.cli}`].join('\n')
  process.stderr.write(`${redactSecrets(text)}\n`)
}

const unexpected = (error: unknown): Problem =>
  new Problem(
    'unexpected',
    `Unexpected error: ${error instanceof Error ? error.message : String(error)}`,
    nextStep('This is a bug. Please report it, with the command you ran.'),
    { cause: error },
  )
