import { type Command, type CommandInput, type EngineName, UsageError } from '../command.ts'

/** Moves the whole deployment, stopped, to the other engine. Both databases are named by the settings of the service. */
export const move: Command = {
  name: 'move',
  synopsis: '--from sqlite --to postgres [--dry-run]',
  summary: 'copy the stopped deployment to the other engine, or back with --from postgres --to sqlite',
  options: {
    from: { type: 'string', help: 'sqlite or postgres' },
    to: { type: 'string', help: 'the other one' },
    'dry-run': { type: 'boolean', help: 'only check' },
  },
  positionals: { min: 0, max: 0 },
  async run(input, { config, move, emit }) {
    const { from, to, dryRun } = readEngines(input)
    if (config.databaseUrl === null) {
      throw new Error(
        'Set DATABASE_URL to the PostgreSQL database, as the service reads it. The SQLite file is the one in DATA_DIR.',
      )
    }
    const { tables, source } = await move({ from, to, dryRun })
    const rows = tables.reduce((all, table) => all + table.rows, 0)
    const text = [
      ...tables.map((table) => `${number(table.rows).padStart(12)}  ${table.name}`),
      ...(source === null
        ? [`Nothing was written. The move would copy ${number(rows)} rows; nothing prevents it.`]
        : [`Moved ${number(rows)} rows, and compared them with the source.`, source, NEXT[to]]),
    ]
    emit({ from, to, moved: source !== null, rows, tables }, text.join('\n'))
  },
}

const NEXT: Readonly<Record<EngineName, string>> = {
  postgres: 'Next: start the service with DATABASE_URL set. keys.json stays in DATA_DIR.',
  sqlite: 'Next: unset DATABASE_URL, then start the service. keys.json stays in DATA_DIR.',
}

function readEngines({ values }: CommandInput): { from: EngineName; to: EngineName; dryRun: boolean } {
  const { from, to } = values
  const dryRun = values['dry-run'] === true
  if (from === 'sqlite' && to === 'postgres') return { from, to, dryRun }
  if (from === 'postgres' && to === 'sqlite') return { from, to, dryRun }
  throw new UsageError('Usage: gatehouse move --from sqlite --to postgres [--dry-run], or --from postgres --to sqlite')
}

const number = (value: number): string => value.toLocaleString('en')
