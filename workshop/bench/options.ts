import { parseArgs } from 'node:util'

export const BENCHMARKS = [
  'verify',
  'refresh',
  'login',
  'mcp',
  'id-token',
  'anonymous',
  'slow-disk',
  'workers',
  'start',
  'memory',
  'search',
] as const

export type BenchmarkName = (typeof BENCHMARKS)[number]

export const CONTENDERS = [
  'echo',
  'gatehouse',
  'better-auth',
  'oidc-provider',
  'openauth',
  'express',
  'glewlwyd',
] as const

export type ContenderName = (typeof CONTENDERS)[number]

export interface Options {
  readonly benchmarks: readonly BenchmarkName[]
  readonly contenders: readonly ContenderName[]
  readonly rounds: number
  /** Length of one round. */
  readonly seconds: number
  readonly warmUpSeconds: number
  readonly connections: number
  /** Also measure refresh on PostgreSQL, and the bare statement for comparison. */
  readonly postgres: boolean
  /** A run of two minutes, compared with the last results of this machine. */
  readonly quick: boolean
  /** Save the results also of a partial run, and write docs/performance.md. */
  readonly write: boolean
  /** The folder for CPU profiles of our service, one per benchmark. */
  readonly profile: string | null
}

export class UsageError extends Error {}

export function readOptions(args: readonly string[]): Options {
  const { values } = rethrowAsUsageError(() =>
    parseArgs({
      args: [...args],
      options: {
        only: { type: 'string' },
        contenders: { type: 'string' },
        rounds: { type: 'string' },
        seconds: { type: 'string' },
        connections: { type: 'string' },
        'no-postgres': { type: 'boolean', default: false },
        quick: { type: 'boolean', default: false },
        write: { type: 'boolean', default: false },
        profile: { type: 'string' },
      },
    }),
  )
  const { quick } = values
  return {
    benchmarks:
      parseList(values.only, BENCHMARKS) ?? (quick ? ['verify', 'refresh', 'start'] : BENCHMARKS),
    contenders:
      parseList(values.contenders, CONTENDERS) ??
      (quick ? ['echo', 'gatehouse', 'oidc-provider'] : CONTENDERS),
    rounds: parseWholeNumber(values.rounds, quick ? 3 : 5),
    seconds: parseWholeNumber(values.seconds, 2),
    warmUpSeconds: quick ? 2 : 3,
    connections: parseWholeNumber(values.connections, 32),
    postgres: !quick && !values['no-postgres'],
    quick,
    write: values.write,
    profile: values.profile ?? null,
  }
}

function parseList<T extends string>(text: string | undefined, known: readonly T[]): T[] | null {
  if (text === undefined) {
    return null
  }
  return text.split(',').map((part) => {
    const found = known.find((name) => name === part.trim())
    if (found === undefined) {
      throw new UsageError(`Unknown name ${part.trim()}. Known names: ${known.join(', ')}.`)
    }
    return found
  })
}

function parseWholeNumber(text: string | undefined, fallback: number): number {
  if (text === undefined) {
    return fallback
  }
  if (!/^[1-9]\d{0,3}$/.test(text)) {
    throw new UsageError(`${text} is not a whole number from 1 to 9999.`)
  }
  return Number(text)
}

function rethrowAsUsageError<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}
