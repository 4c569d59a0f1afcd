import { parseArgs } from 'node:util'
import type { Stores } from '../domain/stores/stores.ts'

export interface CommandIo {
  readonly stores: Stores
  readonly config: { readonly dataDir: string; readonly databaseUrl: string | null; readonly serviceKeys: unknown }
  readonly now: number
  /** Makes up for what a database from a backup does not know. */
  restore(restoring: { readonly skipIds: number; readonly signOut: boolean }): Promise<{
    readonly people: number
    readonly owners: number
    readonly agents: number
  }>
  say(line: string): void
}

export type Command = (args: readonly string[], io: CommandIo) => Promise<void>

/** The command was not understood; nothing was done. */
export class UsageProblem extends Error {}

export interface Listing {
  readonly after: string
  readonly limit: number
  readonly json: boolean
}

const LIMIT_MAX = 10_000

/** `--after`, `--limit` and `--json`, as every list has them. */
export function readListing(args: readonly string[], after: string): Listing {
  const { values } = understood(() =>
    parseArgs({
      args: [...args],
      options: { after: { type: 'string' }, limit: { type: 'string' }, json: { type: 'boolean' } },
    }),
  )
  const limit = Number(values.limit ?? 100)
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX) {
    throw new UsageProblem(`--limit takes a whole number from 1 to ${LIMIT_MAX}.`)
  }
  return { after: values.after ?? after, limit, json: values.json ?? false }
}

export function understood<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    throw new UsageProblem(error instanceof Error ? error.message : String(error))
  }
}
