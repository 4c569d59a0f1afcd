/** Where the table definitions of the two engines differ. */
import { type ColumnDefinitionBuilder, type CreateTableBuilder, type RawBuilder, sql } from 'kysely'
import type { Engine } from '../../engine.ts'

interface Columns {
  /** 64 bits on both engines. */
  readonly integer: 'integer' | 'bigint'
  readonly bytes: RawBuilder<unknown>
  /** 64 bits on both engines. */
  readonly real: 'real' | 'double precision'
  /** The primary key: a number that is never reused, not even after its row is deleted. */
  id(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder
  /**
   * Adds `id` and `tenant_id` to a table of rows that belong to tenants. On PostgreSQL both are the primary key, called
   * `key`: a distributed table needs its distribution column in every unique key (docs/scaling.md).
   */
  numberedInTenant(key: string): (table: Table) => Table
  /** Ends a table definition. On SQLite: strict column types. */
  end(table: Table): Table
  /** Ends the definition of a table with a key of several columns. On SQLite: strict, without a second tree for row ids. */
  endByKey(table: Table): Table
}

type Table = CreateTableBuilder<string, string>

export const required = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder => column.notNull()

export const key = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder => column.notNull().primaryKey()

const sqlite: Columns = {
  integer: 'integer',
  bytes: sql`blob`,
  real: 'real',
  id: (column) => column.notNull().primaryKey().autoIncrement(),
  // A number that is never reused must be the whole key.
  numberedInTenant: () => (table) =>
    table.addColumn('id', 'integer', sqlite.id).addColumn('tenant_id', 'text', required),
  end: (table) => table.modifyEnd(sql`strict`),
  endByKey: (table) => table.modifyEnd(sql`strict, without rowid`),
}

const postgres: Columns = {
  integer: 'bigint',
  bytes: sql`bytea`,
  real: 'double precision',
  id: (column) => column.generatedAlwaysAsIdentity().primaryKey(),
  numberedInTenant: (key) => (table) =>
    table
      .addColumn('id', 'bigint', (column) => column.generatedAlwaysAsIdentity().notNull())
      .addColumn('tenant_id', 'text', required)
      .addPrimaryKeyConstraint(key, ['id', 'tenant_id']),
  end: (table) => table,
  endByKey: (table) => table,
}

export const columnsOf = (engine: Engine): Columns => (engine === 'sqlite' ? sqlite : postgres)
