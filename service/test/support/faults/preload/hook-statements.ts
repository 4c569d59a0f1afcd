/**
 * Calls hooks before and after every SQLite statement. Loaded into the service's process with `node --import`, so the
 * service itself contains no test code.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite'

export interface StatementHooks {
  before?(sql: string, db: DatabaseSync): void
  after?(sql: string, db: DatabaseSync): void
}

export function hookStatements({ before, after }: StatementHooks): void {
  const { exec, prepare } = DatabaseSync.prototype
  DatabaseSync.prototype.exec = function (sql) {
    before?.(sql, this)
    exec.call(this, sql)
    after?.(sql, this)
  }
  DatabaseSync.prototype.prepare = function (sql, ...options) {
    const statement = prepare.call(this, sql, ...options)
    for (const name of ['run', 'get', 'all'] as const) {
      wrap(statement, name, sql, this)
    }
    return statement
  }

  function wrap(
    statement: StatementSync,
    name: 'run' | 'get' | 'all',
    sql: string,
    db: DatabaseSync,
  ): void {
    const original = statement[name] as (...values: unknown[]) => unknown
    Object.defineProperty(statement, name, {
      value: (...values: unknown[]) => {
        before?.(sql, db)
        const result = original.apply(statement, values)
        after?.(sql, db)
        return result
      },
    })
  }
}
