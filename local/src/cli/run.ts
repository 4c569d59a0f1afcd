import { either, Problem } from '../problem.ts'
import { withoutSecrets } from '../safe-text.ts'
import { VERSION } from '../version.ts'
import { CommandIo } from './desk.ts'
import { EXIT_CODES, exitCodeOf } from './exit-codes.ts'
import { overview, verbHelp } from './help.ts'
import { paint, wantsColour } from './paint.ts'
import { understand, usage } from './verb.ts'
import { verbNamed } from './verbs/index.ts'

/** The command: arguments in, words out, and the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  const wantsJson = args.includes('--json')
  try {
    return await dispatch(args)
  } catch (error) {
    const problem = error instanceof Problem ? error : unexpected(error)
    if (wantsJson) tellProgram(problem)
    else tellPerson(problem, !args.includes('--no-color'))
    return exitCodeOf(problem)
  }
}

async function dispatch([name = 'help', ...args]: readonly string[]): Promise<number> {
  if (name === '--version' || name === '-v' || name === 'version') return print(`${VERSION}\n`)
  if (name === 'help' || name === '--help' || name === '-h') {
    const asked = args.find((word) => !word.startsWith('-'))
    if (asked === undefined) return print(overview())
    const verb = verbNamed(asked)
    if (verb === undefined) throw usage(`There is no verb "${asked}".`)
    return print(verbHelp(verb))
  }
  const verb = verbNamed(name)
  if (verb === undefined) throw usage(`There is no verb "${name}".`)
  const { words, options, common, wantsHelp } = understand(verb, args)
  if (wantsHelp) return print(verbHelp(verb))
  return (await verb.run(new CommandIo(common), words, options)) ?? EXIT_CODES.done
}

function print(text: string): number {
  process.stdout.write(text)
  return EXIT_CODES.done
}

function tellProgram({ code, message, next, lines, retryAfterSeconds }: Problem): void {
  const error = {
    code,
    message,
    next: next.cli,
    ...(lines.length === 0 ? {} : { problems: lines }),
    ...(retryAfterSeconds === null ? {} : { retry_after_seconds: retryAfterSeconds }),
  }
  process.stdout.write(`${withoutSecrets(JSON.stringify({ error }))}\n`)
}

function tellPerson({ message, next, lines }: Problem, mayColour: boolean): void {
  const { red, dim } = paint(mayColour && wantsColour(process.stderr, process.env))
  const text = [`${red('✗')} ${message}`, ...lines.map((line) => `  - ${line}`), `  ${dim('→')} ${next.cli}`].join('\n')
  process.stderr.write(`${withoutSecrets(text)}\n`)
}

const unexpected = (error: unknown): Problem =>
  new Problem(
    'unexpected',
    `Something went wrong that should not: ${error instanceof Error ? error.message : String(error)}`,
    either('Please report it, with what you did just before.'),
    { cause: error },
  )
