import { type CompiledQuery, type Kysely, type QueryResult, Transaction } from 'kysely'
import type { Database, OpenTransaction } from '../database.ts'
import { runDirectly } from '../direct-run.ts'
import type { Tables } from '../tables/tables.ts'
import { sqliteDialect } from './dialect.ts'
import type { SqliteDriver } from './driver.ts'
import type { SqliteResult } from './file.ts'

/** Begins transactions on the driver itself: each layer of Kysely's own transactions is several promises. */
export function transactionsOn(driver: SqliteDriver, write: Kysely<Tables>): () => Promise<OpenTransaction> {
  const dialect = sqliteDialect(driver)
  const shared = { config: { dialect }, dialect, driver }
  return async () => {
    const lease = await driver.acquireConnection()
    const release = (): void => driver.release(lease)
    try {
      await driver.beginTransaction(lease)
    } catch (error) {
      release()
      throw error
    }
    const executor = write.getExecutor().withConnectionProvider({
      async provideConnection(consumer) {
        driver.assertIn(lease)
        return consumer(lease)
      },
    })
    const db = new Transaction<Tables>({ ...shared, executor })
    return {
      db: runDirectly(db, ({ sql, parameters }) => queryResult(driver.runIn(lease, sql, parameters))),
      commit: () => driver.commitTransaction(lease).finally(release),
      commitEarly: () => driver.commitEarly(lease).finally(release),
      rollBack: () => driver.rollbackTransaction(lease).finally(release),
    }
  }
}

/** Statements outside a transaction: reads on the writing connection, whose cache has the newest pages, if it is free. */
export function runStatementsDirectly(
  driver: SqliteDriver,
  { read, write, writeEarly }: Pick<Database, 'read' | 'write' | 'writeEarly'>,
): void {
  runDirectly(read, <R>(query: CompiledQuery<R>) => {
    const result = driver.tryRead(query.sql, query.parameters)
    if (result === undefined) return read.executeQuery(query)
    return result instanceof Promise ? result.then((done) => queryResult<R>(done)) : queryResult<R>(result)
  })
  // One statement needs no savepoint: if it fails, it has changed nothing.
  runDirectly(write, async <R>({ sql, parameters }: CompiledQuery<R>) =>
    queryResult<R>(await driver.runSync((run) => run(sql, parameters))),
  )
  runDirectly(writeEarly, async <R>({ sql, parameters }: CompiledQuery<R>) =>
    queryResult<R>(await driver.runSync((run) => run(sql, parameters), 'early')),
  )
}

const queryResult = <R>({ rows, changes }: SqliteResult): QueryResult<R> =>
  changes === undefined ? { rows: rows as R[] } : { rows: rows as R[], numAffectedRows: changes }
