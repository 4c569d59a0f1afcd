import { parseArgs } from 'node:util'
import { orUsageError, UsageError } from './command.ts'

/** Opens no database by itself: the source must not be migrated, and the target must stay empty until all rows are there. */
export interface MoveIo {
  readonly config: { readonly databaseUrl: string | null }
  move(engines: { readonly from: Engine; readonly to: Engine; readonly dryRun: boolean }): Promise<{
    readonly tables: readonly { readonly name: string; readonly rows: number }[]
    readonly source: string | null
  }>
  print(line: string): void
}

type Engine = 'sqlite' | 'postgres'

/** Moves the whole deployment, stopped, to the other engine. Both databases are named by the settings of the service. */
export async function move(args: readonly string[], { config, move, print }: MoveIo): Promise<void> {
  const { from, to, dryRun } = readMoveArgs(args)
  if (config.databaseUrl === null) {
    throw new Error(
      'Set DATABASE_URL to the PostgreSQL database, as the service reads it. The SQLite file is the one in DATA_DIR.',
    )
  }
  const { tables, source } = await move({ from, to, dryRun })
  for (const { name, rows } of tables) print(`${number(rows).padStart(12)}  ${name}`)
  const rows = number(tables.reduce((all, table) => all + table.rows, 0))
  if (source === null) {
    print(`Nothing was written. The move would copy ${rows} rows; nothing prevents it.`)
    return
  }
  print(`Moved ${rows} rows, and compared them with the source.`)
  print(source)
  print(
    to === 'postgres'
      ? 'Next: start the service with DATABASE_URL set. keys.json stays in DATA_DIR.'
      : 'Next: unset DATABASE_URL, then start the service. keys.json stays in DATA_DIR.',
  )
}

function readMoveArgs(args: readonly string[]): { from: Engine; to: Engine; dryRun: boolean } {
  const { values } = orUsageError(() =>
    parseArgs({
      args: [...args],
      options: { from: { type: 'string' }, to: { type: 'string' }, 'dry-run': { type: 'boolean' } },
    }),
  )
  const { from, to } = values
  const dryRun = values['dry-run'] ?? false
  if (from === 'sqlite' && to === 'postgres') return { from, to, dryRun }
  if (from === 'postgres' && to === 'sqlite') return { from, to, dryRun }
  throw new UsageError('Usage: gatehouse move --from sqlite --to postgres [--dry-run], or --from postgres --to sqlite')
}

const number = (value: number): string => value.toLocaleString('en')
