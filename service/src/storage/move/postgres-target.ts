import type { Warn } from '../database.ts'
import { migratePostgres } from '../postgres/open.ts'
import { beginExclusively, connectExclusively, POSTGRES, readsOf } from './postgres-side.ts'
import type { MovedTable, Row, Target } from './sides.ts'

/** One transaction: all rows, or none. */
export async function postgresTarget(url: string, warn: Warn): Promise<Target> {
  const client = await connectExclusively(url, warn)
  const reads = readsOf(client)
  const types = new Map<string, string>()
  return {
    engine: 'postgres',
    name: POSTGRES,
    ...reads,
    async isBlank() {
      const { tables } = await reads.schema()
      return !tables.has('migrations') && !tables.has('tenants')
    },
    async begin(tables) {
      await migratePostgres(url, warn)
      const { rows } = await client.query<{ column: string; type: string }>(
        `select c.relname || '.' || a.attname as column, format_type(a.atttypid, null) as type
          from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
          where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'`,
      )
      for (const { column, type } of rows) types.set(column, type)
      await beginExclusively(
        client,
        tables.map(({ name }) => name),
      )
      // An emptied database may be used again.
      await client.query('delete from moved')
    },
    /** One statement for all rows of the batch, with an array for each column. */
    async insert({ name, columns }: MovedTable, rows: readonly Row[]) {
      const arrays = columns.map((column, at) => `$${at + 1}::${types.get(`${name}.${column}`)}[]`)
      await client.query(
        `insert into ${name} (${columns.join()}) overriding system value select * from unnest(${arrays.join()})`,
        columns.map((_, at) => rows.map((row) => row[at])),
      )
    },
    /** Not `setval`, which a rollback would not undo. */
    async setPosition({ name }: MovedTable, position: number) {
      await client.query(`alter table ${name} alter column id restart with ${position + 1}`)
    },
    async raiseIdFloor(floor: number) {
      // Creates the row of this server.
      await client.query('select from gatehouse_fence_v1()')
      await client.query('update lineage set id_floor = greatest(id_floor, $1)', [floor])
    },
    async commit() {
      await client.query('commit')
    },
    close: () => client.end(),
  }
}
