import { Pool } from 'pg'
import { type RoundResult, RoundWatch } from '../load/round-watch.ts'
import type { StatementLoad } from './pgbench.ts'
import { numberedStatement } from './refresh-statement.ts'

/** The stand-in where there is no pgbench: the same statement, named, through `pg`. */
export async function statementRound(
  { databaseUrl, sessions }: StatementLoad,
  { connections, seconds }: { readonly connections: number; readonly seconds: number },
): Promise<RoundResult> {
  const pool = new Pool({ connectionString: databaseUrl, max: connections })
  const watch = new RoundWatch(seconds)
  const caller = async (): Promise<void> => {
    while (watch.goesOn()) {
      const asked = performance.now()
      const session = 1 + Math.floor(Math.random() * sessions)
      const { rowCount } = await pool.query({ name: 'refresh', text: numberedStatement, values: [session, Date.now()] })
      watch.noteProblem(rowCount === 1 ? null : `the statement changed ${rowCount} rows`)
      watch.answered(performance.now() - asked)
    }
  }
  await Promise.all(Array.from({ length: connections }, caller))
  await pool.end()
  return watch.result()
}
