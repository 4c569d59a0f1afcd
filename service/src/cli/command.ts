import { parseArgs } from 'node:util'
import type { Stores } from '../domain/stores/stores.ts'

export interface CommandIo {
  readonly stores: Stores
  readonly config: { readonly dataDir: string; readonly databaseUrl: string | null; readonly serviceKeys: unknown }
  readonly now: number
  /** Adapts a database that was restored from a backup. */
  restore(restoring: { readonly skipIds: number; readonly signOut: boolean }): Promise<{
    readonly users: number
    readonly owners: number
    readonly agents: number
  }>
  print(line: string): void
}

export type Command = (args: readonly string[], io: CommandIo) => Promise<void>

/** Invalid arguments; nothing was done. */
export class UsageError extends Error {}

export interface Listing {
  readonly after: string
  readonly limit: number
  readonly json: boolean
  /** The value of the list's own option. */
  readonly only: string | undefined
}

const LIMIT_MAX = 10_000

/** Reads `--after`, `--limit` and `--json`, the options of every list, and `filter`, one of its own. */
export function readListing(args: readonly string[], after: string, filter: string): Listing {
  const { values } = orUsageError(() =>
    parseArgs({
      args: [...args],
      options: {
        after: { type: 'string' },
        limit: { type: 'string' },
        json: { type: 'boolean' },
        [filter]: { type: 'string' },
      },
    }),
  )
  const limit = Number(values.limit ?? 100)
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX) {
    throw new UsageError(`--limit takes a whole number from 1 to ${LIMIT_MAX}.`)
  }
  const only = values[filter]
  return {
    after: String(values.after ?? after),
    limit,
    json: values.json === true,
    only: typeof only === 'string' ? only : undefined,
  }
}

export function orUsageError<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}
