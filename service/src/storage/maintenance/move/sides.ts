import type { Engine } from '../../engine.ts'

/** The values of a row, in the order of `MovedTable.columns`. */
export type Row = readonly (string | number | Uint8Array | null)[]

export interface MovedTable {
  readonly name: string
  readonly columns: readonly string[]
  /** Its ids come from a sequence, whose position moves too: deleted ids are never assigned again. */
  readonly hasSequence: boolean
}

/** What a database contains, to compare with the schema of this version. */
export interface FoundSchema {
  readonly migrations: readonly string[]
  readonly tables: ReadonlyMap<string, readonly string[]>
}

/** A database that no other process uses until `close`. */
export interface Side {
  readonly engine: Engine
  /** For messages; without a password. */
  readonly name: string
  schema(): Promise<FoundSchema>
  count(table: MovedTable): Promise<number>
  rows(table: MovedTable): AsyncIterable<readonly Row[]>
  /** The last id that the table's sequence assigned; 0: none. */
  position(table: MovedTable): Promise<number>
  /** Ids of users and events are above it (`lineage`). */
  idFloor(): Promise<number>
  /** Undoes everything that was not committed. */
  close(): Promise<void>
}

export interface Source extends Side {
  /** Reads of the tables from here on see one state. */
  begin(tables: readonly MovedTable[]): Promise<void>
  /** Prevents that a service serves this database too. Returns what the operator should know. */
  retire(): Promise<string>
}

export interface Target extends Side {
  /** Nothing was created here yet. */
  isBlank(): Promise<boolean>
  /** Creates the schema, and begins the transaction that all rows are written in. */
  begin(tables: readonly MovedTable[]): Promise<void>
  insert(table: MovedTable, rows: readonly Row[]): Promise<void>
  setPosition(table: MovedTable, position: number): Promise<void>
  raiseIdFloor(floor: number): Promise<void>
  /** Makes everything durable and visible, at once. */
  commit(): Promise<void>
}

/** Why nothing was moved, and what to do. */
export class MoveRefused extends Error {}

/** Large enough that round trips don't matter, small enough that a batch is some megabytes. */
export const BATCH_ROWS = 2_000
