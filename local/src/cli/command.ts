import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { program } from '../invocation.ts'
import { parseJson } from '../json.ts'
import { nextStep, Problem } from '../problem.ts'
import type { CommandIo, CommonOptions } from './command-io.ts'

export type Options = Readonly<Record<string, string | boolean | undefined>>

export interface Command {
  readonly name: string
  /** The arguments after the name, as the usage line shows them. */
  readonly synopsis: string
  readonly summary: string
  /** Further lines of `help <command>`. */
  readonly details?: readonly string[]
  readonly options?: ParseArgsOptionsConfig
  /** The number of positional arguments. */
  readonly positionals: { readonly min: number; readonly max: number }
  /** A signal ends it: it runs until its input closes, and has nothing to finish. */
  readonly endsOnSignal?: true
  /** Returns the exit code, or undefined for 0. */
  run(io: CommandIo, positionals: readonly string[], options: Options): Promise<number | undefined>
}

export const COMMON_OPTIONS = {
  json: { type: 'boolean' },
  project: { type: 'string' },
  'no-color': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsOptionsConfig

/** For commands that do not read the service URL from a .service file. */
export const SERVICE_OPTION = {
  service: { type: 'string' },
} as const satisfies ParseArgsOptionsConfig

export interface ParsedCommand {
  readonly positionals: readonly string[]
  readonly options: Options
  readonly common: CommonOptions
  readonly wantsHelp: boolean
}

export function parseCommand(command: Command, args: readonly string[]): ParsedCommand {
  const { values, positionals } = parse(command, args)
  const {
    json,
    project,
    service,
    'no-color': noColor,
    help,
    ...options
  } = values as Record<string, string | boolean>
  const common: CommonOptions = {
    json: json === true,
    project: project as string | undefined,
    service: service as string | undefined,
    color: noColor !== true,
  }
  const wantsHelp = help === true
  const { min, max } = command.positionals
  if (!wantsHelp && (positionals.length < min || positionals.length > max)) {
    throw usageProblem(
      `Wrong number of arguments. Usage: ${program()} ${command.name} ${command.synopsis}`.trimEnd(),
    )
  }
  return { positionals, options, common, wantsHelp }
}

function parse(command: Command, args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: { ...COMMON_OPTIONS, ...command.options },
      allowPositionals: true,
    })
  } catch (error) {
    throw usageProblem(error instanceof Error ? error.message : String(error), command.name)
  }
}

export const usageProblem = (message: string, command = ''): Problem =>
  new Problem('usage', message, nextStep(`See: ${program()} help ${command}`.trimEnd()))

/** Parses an option as an integer from `min` to `max`. */
export function parseInteger(
  written: string | boolean | undefined,
  option: string,
  max: number,
  min = 0,
): number | undefined {
  if (written === undefined) {
    return undefined
  }
  const value = typeof written === 'string' && /^\d{1,15}$/.test(written) ? Number(written) : -1
  if (value >= min && value <= max) {
    return value
  }
  throw usageProblem(`--${option} must be an integer from ${min} to ${max}.`)
}

/** Parses an argument or option as a JSON object. */
export function objectIn(json: string, what: string, command: string): Record<string, unknown> {
  const read = parseJson(json)
  if (typeof read === 'object' && read !== null && !Array.isArray(read)) {
    return read as Record<string, unknown>
  }
  throw usageProblem(`The ${what} must be a JSON object, such as '{"role":"admin"}'.`, command)
}
