/**
 * Stands between the service and SQLite, inside the service's process: `node --import`, so nothing of it is in the
 * service itself. It tells of every statement, before and after it ran.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite'

export interface Watcher {
  before?(sql: string, db: DatabaseSync): void
  after?(sql: string, db: DatabaseSync): void
}

export function watchStatements({ before, after }: Watcher): void {
  const { exec, prepare } = DatabaseSync.prototype
  DatabaseSync.prototype.exec = function (sql) {
    before?.(sql, this)
    exec.call(this, sql)
    after?.(sql, this)
  }
  DatabaseSync.prototype.prepare = function (sql, ...options) {
    const statement = prepare.call(this, sql, ...options)
    for (const name of ['run', 'get', 'all'] as const) watch(statement, name, sql, this)
    return statement
  }

  function watch(statement: StatementSync, name: 'run' | 'get' | 'all', sql: string, db: DatabaseSync): void {
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
