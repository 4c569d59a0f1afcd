import { parseArgs } from 'node:util'
import { type Command, type CommandInput, UsageError } from './command.ts'

export type ParsedCommand =
  | { readonly kind: 'help'; readonly text: string }
  | {
      readonly kind: 'run'
      readonly command: Command
      readonly input: CommandInput<string>
      readonly json: boolean
    }

const HELP_WORDS: ReadonlySet<string> = new Set(['--help', '-h', 'help'])

/** The command that the arguments name, and its input. Throws UsageError. */
export function parseCommand(args: readonly string[], commands: readonly Command[]): ParsedCommand {
  const words = args.filter((word) => word !== 'help')
  const command = findCommand(words, commands)
  if (args.some((word) => HELP_WORDS.has(word)) && (command !== null || args.length <= 2)) {
    return { kind: 'help', text: helpFor(words, command, commands) }
  }
  if (command === null) {
    throw new UsageError(unknownCommand(args, commands))
  }
  const input = readInput(command, words.slice(command.name.split(' ').length))
  return { kind: 'run', command, input, json: input.values.json === true }
}

function findCommand(words: readonly string[], commands: readonly Command[]): Command | null {
  for (const length of [2, 1]) {
    const found = commands.find(({ name }) => name === words.slice(0, length).join(' '))
    if (found !== undefined) {
      return found
    }
  }
  return null
}

function helpFor(
  words: readonly string[],
  command: Command | null,
  commands: readonly Command[],
): string {
  if (command !== null) {
    return commandHelp(command)
  }
  const group = groupHelp(words[0] ?? '', commands)
  return group ?? overview(commands)
}

function readInput(command: Command, args: readonly string[]): CommandInput<string> {
  const options = {
    ...command.options,
    json: { type: 'boolean' as const },
    help: { type: 'boolean' as const },
  }
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    const { min, max } = command.positionals
    if (positionals.length >= min && positionals.length <= max) {
      return { values, positionals }
    }
  } catch (error) {
    throw new UsageError(
      `${error instanceof Error ? error.message : String(error)}\n${usageOf(command)}`,
    )
  }
  throw new UsageError(usageOf(command))
}

function unknownCommand(args: readonly string[], commands: readonly Command[]): string {
  if (args.length === 0) {
    return overview(commands)
  }
  const group = groupHelp(args[0] ?? '', commands)
  if (args.length === 1 && group !== null) {
    return group
  }
  const typed = args.slice(0, 2).join(' ')
  const closest = closestCommand(
    typed,
    commands.map(({ name }) => name),
  )
  const advice = closest === null ? '' : ` The closest is: gatehouse ${closest}`
  return `There is no command "${printable(typed)}".${advice}\nAll commands: gatehouse --help`
}

const printable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it removes control characters
  text.slice(0, 60).replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ')

/** The name with the fewest changed letters; null if these are more than a third. One word may be any word of a name: `suspend`. */
function closestCommand(typed: string, names: readonly string[]): string | null {
  const [word = '', ...more] = typed.split(' ')
  const candidates = names.flatMap((name) => [
    { name, compared: typed, distance: editDistance(typed, name) },
    // The rest may be arguments, as in `suspend some-id`.
    ...[...(more.length === 0 ? [] : [name]), ...name.split(' ').slice(1)].map((part) => ({
      name,
      compared: word,
      distance: editDistance(word, part) + 0.5,
    })),
  ])
  const close = candidates.filter(({ compared, distance }) => distance <= compared.length / 3 + 0.5)
  return close.sort((a, b) => a.distance - b.distance)[0]?.name ?? null
}

/** Insertions, deletions and replacements of letters (Levenshtein). */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (const [row, letter] of [...from].entries()) {
    const current = [row + 1]
    for (let at = 1; at <= to.length; at++) {
      const replaced = (previous[at - 1] ?? 0) + (letter === to[at - 1] ? 0 : 1)
      current.push(Math.min(replaced, (previous[at] ?? 0) + 1, (current[at - 1] ?? 0) + 1))
    }
    previous = current
  }
  return previous[to.length] ?? 0
}

const COMMON = [
  'Settings come from the environment, as for the service (.env.example). Every command takes --json: one JSON object per line.',
  'Exit codes: 0 success, 1 failed, 2 usage error.',
]

const usageOf = ({ name, synopsis }: Command): string =>
  `Usage: gatehouse ${name} ${synopsis}`.trimEnd()

const overview = (commands: readonly Command[]): string =>
  [
    'Usage: gatehouse <command>',
    '',
    ...table(commands),
    '',
    'Details: gatehouse <command> --help. The version: gatehouse --version.',
    'Without a command, the gatehouse of the package runs the service.',
    ...COMMON,
  ].join('\n')

/** null: no command starts with this word. */
function groupHelp(word: string, commands: readonly Command[]): string | null {
  const group = commands.filter(({ name }) => name.split(' ')[0] === word)
  return group.length === 0
    ? null
    : [`Usage: gatehouse ${word} <command>`, '', ...table(group)].join('\n')
}

function commandHelp(command: Command): string {
  const { summary, details = [], options = {} } = command
  const named = Object.entries(options).map(([name, { help }]) => row(`--${name}`, help))
  return [
    usageOf(command),
    '',
    `${summary[0]?.toUpperCase()}${summary.slice(1)}.`,
    ...details,
    '',
    ...named,
    row('--json', 'print one JSON object per line'),
    '',
    ...COMMON,
  ].join('\n')
}

const table = (commands: readonly Command[]): string[] =>
  commands.map(({ name, summary }) => row(name, summary))

const row = (first: string, second: string): string => `  ${first.padEnd(26)} ${second}`
