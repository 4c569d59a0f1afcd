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
  const asksForHelp = args.some((word) => HELP_WORDS.has(word))
  if (asksForHelp && (command !== null || args.length <= 2)) {
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
  const { values, positionals } = parseOptions(command, args)
  const { min, max } = command.positionals
  if (positionals.length < min || positionals.length > max) {
    throw new UsageError(usageOf(command))
  }
  return { values, positionals }
}

function parseOptions(command: Command, args: readonly string[]): CommandInput<string> {
  const options = {
    ...command.options,
    json: { type: 'boolean' as const },
    help: { type: 'boolean' as const },
  }
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    throw new UsageError(`${problem}\n${usageOf(command)}`)
  }
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
  const names = commands.map(({ name }) => name)
  const closest = closestCommand(typed, names)
  const advice = closest === null ? '' : ` The closest is: gatehouse ${closest}`
  return `There is no command "${printable(typed)}".${advice}\nAll commands: gatehouse --help`
}

const printable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it removes control characters
  text.slice(0, 60).replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ')

/** A match of one word counts as half a changed letter more than a match of all that was typed. */
const ONE_WORD_PENALTY = 0.5

interface Candidate {
  readonly name: string
  /** What was compared with the name, or with a part of it. */
  readonly compared: string
  readonly distance: number
}

/** The name with the fewest changed letters; null if these are more than a third. */
function closestCommand(typed: string, names: readonly string[]): string | null {
  const candidates = names.flatMap((name) => [
    { name, compared: typed, distance: editDistance(typed, name) },
    ...oneWordCandidates(typed, name),
  ])
  const close = candidates.filter(
    ({ compared, distance }) => distance <= compared.length / 3 + ONE_WORD_PENALTY,
  )
  const [closest] = close.sort((a, b) => a.distance - b.distance)
  return closest?.name ?? null
}

/** The first word may be a later word of a name, as `suspend`; what follows it may be arguments, as in `backup folder`. */
function oneWordCandidates(typed: string, name: string): Candidate[] {
  const [word = '', ...more] = typed.split(' ')
  const [, ...laterWords] = name.split(' ')
  const parts = more.length === 0 ? laterWords : [name, ...laterWords]
  return parts.map((part) => ({
    name,
    compared: word,
    distance: editDistance(word, part) + ONE_WORD_PENALTY,
  }))
}

/** Insertions, deletions and replacements of letters (Levenshtein). */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (const [row, letter] of [...from].entries()) {
    const current = [row + 1]
    for (let at = 1; at <= to.length; at++) {
      const replaced = (previous[at - 1] ?? 0) + (letter === to[at - 1] ? 0 : 1)
      const deleted = (previous[at] ?? 0) + 1
      const inserted = (current[at - 1] ?? 0) + 1
      current.push(Math.min(replaced, deleted, inserted))
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
  if (group.length === 0) {
    return null
  }
  return [`Usage: gatehouse ${word} <command>`, '', ...table(group)].join('\n')
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
