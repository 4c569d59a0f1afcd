/** Where the table definitions of the two engines differ. */
import { type ColumnDefinitionBuilder, type CreateTableBuilder, type RawBuilder, sql } from 'kysely'
import type { Engine } from '../../engine.ts'

export interface Columns {
  /** 64 bits on both engines. */
  readonly integer: 'integer' | 'bigint'
  readonly bytes: RawBuilder<unknown>
  /** 64 bits on both engines. */
  readonly real: 'real' | 'double precision'
  /** The primary key: a number that is never reused, not even after its row is deleted. */
  id(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder
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
  end: (table) => table.modifyEnd(sql`strict`),
  endByKey: (table) => table.modifyEnd(sql`strict, without rowid`),
}

const postgres: Columns = {
  integer: 'bigint',
  bytes: sql`bytea`,
  real: 'double precision',
  id: (column) => column.generatedAlwaysAsIdentity().primaryKey(),
  end: (table) => table,
  endByKey: (table) => table,
}

export const columnsOf = (engine: Engine): Columns => (engine === 'sqlite' ? sqlite : postgres)
