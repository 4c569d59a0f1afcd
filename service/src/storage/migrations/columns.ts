/** Where the two engines need other words in a table's definition. */
import { type ColumnDefinitionBuilder, type CreateTableBuilder, type RawBuilder, sql } from 'kysely'
import type { Engine } from '../profiles.ts'

export interface Columns {
  /** 64 bits on both engines. */
  readonly integer: 'integer' | 'bigint'
  readonly bytes: RawBuilder<unknown>
  /** 64 bits on both engines. */
  readonly real: 'real' | 'double precision'
  /** The primary key: a number that is never given twice, not even after its row is gone. */
  id(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder
  /** Such a number for a table whose key on PostgreSQL is a wider one. */
  ascending(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder
  /** Ends a table. On SQLite: columns hold what they say and nothing else. */
  end(table: Table): Table
  /** Ends a table of short rows found by their text key. On SQLite: without a second tree for row ids. */
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
  ascending: (column) => column.notNull().primaryKey().autoIncrement(),
  end: (table) => table.modifyEnd(sql`strict`),
  endByKey: (table) => table.modifyEnd(sql`strict, without rowid`),
}

const postgres: Columns = {
  integer: 'bigint',
  bytes: sql`bytea`,
  real: 'double precision',
  id: (column) => column.generatedAlwaysAsIdentity().primaryKey(),
  ascending: (column) => column.generatedAlwaysAsIdentity(),
  end: (table) => table,
  endByKey: (table) => table,
}

export const columnsOf = (engine: Engine): Columns => (engine === 'sqlite' ? sqlite : postgres)
