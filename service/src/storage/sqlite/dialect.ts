import { type Dialect, type LimitNode, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { SqliteDriver } from './driver.ts'

export const sqliteDialect = (driver: SqliteDriver): Dialect => ({
  createDriver: () => driver,
  createQueryCompiler: () => new Compiler(),
  createAdapter: () => new Adapter(),
  createIntrospector: (db) => new SqliteIntrospector(db),
})

/** SQLite can roll back what it did to a schema, so each start's migrations are one transaction. */
class Adapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
  /** Not really, but the driver keeps the queue itself: Kysely's own wakes everyone at every turn. */
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

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
 * A limit that SQLite cannot see through while it plans. Where it is a bare parameter, SQLite looks at the value, and so
 * has to parse and plan the whole statement again each time one is put in: nearly half of what a page of events cost
 * (docs/hot-path.md).
 */
export const opaqueLimit = (parameter: string): string => `${LIMIT_BEFORE}${parameter}${LIMIT_AFTER}`
