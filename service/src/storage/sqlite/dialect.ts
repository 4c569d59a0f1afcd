import {
  type Dialect,
  type LimitNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { SqliteDriver } from './driver.ts'

export const sqliteDialect = (driver: SqliteDriver): Dialect => ({
  createDriver: () => driver,
  createQueryCompiler: () => new Compiler(),
  createAdapter: () => ADAPTER,
  createIntrospector: (db) => new SqliteIntrospector(db),
})

/** SQLite can roll back schema changes, so all migrations of a start are one transaction. */
class Adapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
  /** The driver queues callers itself; Kysely's queue would wake all of them whenever the connection is free. */
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/** One for all databases, so that a statement is compiled once per process (storage/statement.ts). */
const ADAPTER = new Adapter()

class Compiler extends SqliteQueryCompiler {
  protected override visitLimit({ limit }: LimitNode): void {
    this.append('limit ')
    this.append(LIMIT_BEFORE)
    this.visitNode(limit)
    this.append(LIMIT_AFTER)
  }
}

const LIMIT_BEFORE = 'cast('
const LIMIT_AFTER = ' as integer)'

/**
 * A limit whose value SQLite's planner cannot see. For a bare parameter the planner uses the value, so SQLite parses and
 * plans the statement again at each binding: nearly half the cost of a page of events (docs/hot-path.md).
 */
export const opaqueLimit = (parameter: string): string =>
  `${LIMIT_BEFORE}${parameter}${LIMIT_AFTER}`
