import { parseArgs } from 'node:util'
import { closestCommand } from './closest-command.ts'
import { type Command, type CommandInput, UsageError } from './command.ts'
import { commandHelp, groupHelp, overview, usageOf } from './help.ts'

export type ParsedCommand =
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'run'; readonly command: Command; readonly input: CommandInput; readonly json: boolean }

const HELP_WORDS: ReadonlySet<string> = new Set(['--help', '-h', 'help'])

/** The command that the arguments name, and its input. Throws UsageError. */
export function parseCommand(args: readonly string[], commands: readonly Command[]): ParsedCommand {
  const words = args.filter((word) => word !== 'help')
  const command = findCommand(words, commands)
  if (args.some((word) => HELP_WORDS.has(word)) && (command !== null || args.length <= 2)) {
    return { kind: 'help', text: helpFor(words, command, commands) }
  }
  if (command === null) throw new UsageError(unknownCommand(args, commands))
  const input = readInput(command, words.slice(command.name.split(' ').length))
  return { kind: 'run', command, input, json: input.values.json === true }
}

function findCommand(words: readonly string[], commands: readonly Command[]): Command | null {
  for (const length of [2, 1]) {
    const found = commands.find(({ name }) => name === words.slice(0, length).join(' '))
    if (found !== undefined) return found
  }
  return null
}

function helpFor(words: readonly string[], command: Command | null, commands: readonly Command[]): string {
  if (command !== null) return commandHelp(command)
  const group = groupHelp(words[0] ?? '', commands)
  return group ?? overview(commands)
}

function readInput(command: Command, args: readonly string[]): CommandInput {
  const options = { ...command.options, json: { type: 'boolean' as const }, help: { type: 'boolean' as const } }
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    const { min, max } = command.positionals
    if (positionals.length >= min && positionals.length <= max) return { values, positionals }
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n${usageOf(command)}`)
  }
  throw new UsageError(usageOf(command))
}

function unknownCommand(args: readonly string[], commands: readonly Command[]): string {
  if (args.length === 0) return overview(commands)
  const group = groupHelp(args[0] ?? '', commands)
  if (args.length === 1 && group !== null) return group
  const typed = args.slice(0, 2).join(' ')
  const closest = closestCommand(
    typed,
    commands.map(({ name }) => name),
  )
  return `There is no command "${printable(typed)}". The closest is: gatehouse ${closest}\nAll commands: gatehouse --help`
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it removes control characters
const printable = (text: string): string => text.slice(0, 60).replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ')
