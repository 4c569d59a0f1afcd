import { parseArgs } from 'node:util'

export const PIECES = ['verify', 'refresh', 'login', 'mcp', 'workers', 'start', 'memory'] as const

export type Piece = (typeof PIECES)[number]

export const CONTENDERS = ['echo', 'gatehouse', 'better-auth', 'oidc-provider', 'openauth', 'express'] as const

export type ContenderName = (typeof CONTENDERS)[number]

export interface Options {
  readonly pieces: readonly Piece[]
  readonly contenders: readonly ContenderName[]
  readonly rounds: number
  /** Of one round, under load. */
  readonly seconds: number
  readonly warmUpSeconds: number
  readonly connections: number
  /** Also refresh on PostgreSQL, beside the bare statement. */
  readonly postgres: boolean
  /** Compare with the last committed results, and be done in two minutes. */
  readonly quick: boolean
  /** Write the results into bench/results and docs/performance.md. */
  readonly write: boolean
  /** A CPU profile of our service for each piece goes into this folder. */
  readonly profile: string | null
}

export class UsageProblem extends Error {}

export function readOptions(args: readonly string[]): Options {
  const { values } = understood(() =>
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
    pieces: listed(values.only, PIECES) ?? (quick ? ['verify', 'refresh', 'start'] : PIECES),
    contenders: listed(values.contenders, CONTENDERS) ?? (quick ? ['echo', 'gatehouse', 'oidc-provider'] : CONTENDERS),
    rounds: whole(values.rounds, quick ? 3 : 5),
    seconds: whole(values.seconds, quick ? 2 : 3),
    warmUpSeconds: quick ? 2 : 3,
    connections: whole(values.connections, 32),
    postgres: !quick && !values['no-postgres'],
    quick,
    write: values.write,
    profile: values.profile ?? null,
  }
}

function listed<T extends string>(text: string | undefined, known: readonly T[]): T[] | null {
  if (text === undefined) return null
  return text.split(',').map((part) => {
    const found = known.find((name) => name === part.trim())
    if (found === undefined) throw new UsageProblem(`There is no ${part.trim()}. There are: ${known.join(', ')}.`)
    return found
  })
}

function whole(text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new UsageProblem(`${text} is no whole number from 1 to 9999.`)
  return Number(text)
}

function understood<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    throw new UsageProblem(error instanceof Error ? error.message : String(error))
  }
}
