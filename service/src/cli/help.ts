import type { Command } from './command.ts'

const COMMON = [
  'Settings come from the environment, as for the service (.env.example). Every command takes --json: one JSON object per line.',
  'Exit codes: 0 success, 1 failed, 2 usage error.',
]

export const usageOf = ({ name, synopsis }: Command): string => `Usage: gatehouse ${name} ${synopsis}`.trimEnd()

export const overview = (commands: readonly Command[]): string =>
  ['Usage: gatehouse <command>', '', ...table(commands), '', 'Details: gatehouse <command> --help', ...COMMON].join(
    '\n',
  )

/** null: no command starts with this word. */
export function groupHelp(word: string, commands: readonly Command[]): string | null {
  const group = commands.filter(({ name }) => name.split(' ')[0] === word)
  return group.length === 0 ? null : [`Usage: gatehouse ${word} <command>`, '', ...table(group)].join('\n')
}

export function commandHelp(command: Command): string {
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

const table = (commands: readonly Command[]): string[] => commands.map(({ name, summary }) => row(name, summary))

const row = (first: string, second: string): string => `  ${first.padEnd(26)} ${second}`
