import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { either, Problem } from '../problem.ts'
import type { CommandIo, CommonOptions } from './desk.ts'

export type Options = Readonly<Record<string, string | boolean | undefined>>

export interface Verb {
  readonly name: string
  /** What follows the name, as it is shown. */
  readonly takes: string
  readonly summary: string
  /** One line each, for `help <verb>`. */
  readonly more?: readonly string[]
  readonly options?: ParseArgsOptionsConfig
  /** How many words may follow. */
  readonly words: { readonly min: number; readonly max: number }
  /** Returns the exit code when it is not 0. */
  run(io: CommandIo, words: readonly string[], options: Options): Promise<number | undefined>
}

const COMMON = {
  json: { type: 'boolean' },
  project: { type: 'string' },
  'no-color': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsOptionsConfig

/** For the verbs that do not get the address from a .service file. */
export const SERVICE_OPTION = { service: { type: 'string' } } as const satisfies ParseArgsOptionsConfig

export interface Understood {
  readonly words: readonly string[]
  readonly options: Options
  readonly common: CommonOptions
  readonly wantsHelp: boolean
}

export function understand(verb: Verb, args: readonly string[]): Understood {
  const { values, positionals } = parse(verb, args)
  const { json, project, service, 'no-color': plain, help, ...options } = values as Record<string, string | boolean>
  const common: CommonOptions = {
    json: json === true,
    project: project as string | undefined,
    service: service as string | undefined,
    colour: plain !== true,
  }
  const wantsHelp = help === true
  const { min, max } = verb.words
  if (!wantsHelp && (positionals.length < min || positionals.length > max)) {
    throw usage(`This is how it goes: gatehouse-local ${verb.name} ${verb.takes}`.trimEnd())
  }
  return { words: positionals, options, common, wantsHelp }
}

function parse(verb: Verb, args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: { ...COMMON, ...verb.options }, allowPositionals: true })
  } catch (error) {
    throw usage(error instanceof Error ? error.message : String(error), verb.name)
  }
}

export const usage = (message: string, verb = ''): Problem =>
  new Problem('usage', message, either(`See: gatehouse-local help ${verb}`.trimEnd()))

/** A whole number, 0 or more. */
export function count(written: string | boolean | undefined, option: string, max: number): number | undefined {
  if (written === undefined) return undefined
  if (typeof written === 'string' && /^\d{1,15}$/.test(written) && Number(written) <= max) return Number(written)
  throw usage(`--${option} takes a whole number, at most ${max}.`)
}
