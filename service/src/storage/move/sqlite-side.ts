import type { SqliteFile } from '../sqlite/file.ts'
import { sqliteTables } from './schema.ts'
import { BATCH_ROWS, type FoundSchema, type MovedTable, type Row, type Side } from './sides.ts'

/** Reads of a SQLite database, as a source and to verify a target. */
export function readsOf(file: SqliteFile): Pick<Side, 'schema' | 'count' | 'rows' | 'position' | 'idFloor'> {
  const oneNumber = (sql: string, parameters: readonly unknown[]): number => {
    const [row] = file.run(sql, parameters).rows as { value: number }[]
    return row?.value ?? 0
  }
  return {
    async schema(): Promise<FoundSchema> {
      const tables = new Map(sqliteTables(file).map(({ name, columns }) => [name, columns]))
      const { rows } = tables.has('migrations') ? file.run('select name from migrations', []) : { rows: [] }
      return { tables, migrations: (rows as { name: string }[]).map(({ name }) => name) }
    },
    count: async ({ name }) => oneNumber(`select count(*) as value from ${name}`, []),
    async *rows({ name, columns }: MovedTable): AsyncGenerator<readonly Row[]> {
      yield* file.batches(`select ${columns.join()} from ${name}`, BATCH_ROWS) as Iterable<Row[]>
    },
    idFloor: async () => oneNumber('select id_floor as value from lineage', []),
    position: async ({ name }) => oneNumber('select seq as value from sqlite_sequence where name = ?', [name]),
  }
}
