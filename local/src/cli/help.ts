import { program } from '../invocation.ts'
import type { Command } from './command.ts'
import { COMMANDS } from './commands/index.ts'

const COMMON = `Common options: --project <folder>, --json, --no-color, --help.
Exit codes: 0 success, 1 failed, 2 usage error, 3 service unreachable, 4 .service file unusable,
5 rate limited, 130 interrupted.
`

const HEAD = `gatehouse-local: set up "Sign in with Google" for your app from your machine

Usage: ${program} <command> [options]
`

export function overview(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length))
  const commands = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  const help = `  ${'help'.padEnd(width)}  show this overview, or the help of one command: help <command>`
  return [HEAD, ...commands, help, '', COMMON].join('\n')
}

export function commandHelp({ name, synopsis, summary, details = [] }: Command): string {
  const usage = `Usage: ${program} ${name} ${synopsis}`.trimEnd()
  return [usage, '', `${summary[0]?.toUpperCase()}${summary.slice(1)}.`, ...details, '', COMMON].join('\n')
}
