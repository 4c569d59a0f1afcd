import { Pool } from 'pg'
import { RoundRecorder, type RoundResult } from '../load/round-recorder.ts'
import type { StatementLoad } from './pgbench.ts'
import { numberedStatement } from './refresh-statement.ts'

/** Without pgbench: the same prepared statement through `pg`. */
export async function statementRound(
  { databaseUrl, sessions }: StatementLoad,
  { connections, seconds }: { readonly connections: number; readonly seconds: number },
): Promise<RoundResult> {
  const pool = new Pool({ connectionString: databaseUrl, max: connections })
  const recorder = new RoundRecorder(seconds)
  const caller = async (): Promise<void> => {
    while (recorder.isRunning()) {
      const sent = performance.now()
      const session = 1 + Math.floor(Math.random() * sessions)
      const { rowCount } = await pool.query({ name: 'refresh', text: numberedStatement, values: [session, Date.now()] })
      recorder.recordProblem(rowCount === 1 ? null : `the statement changed ${rowCount} rows`)
      recorder.recordLatency(performance.now() - sent)
    }
  }
  await Promise.all(Array.from({ length: connections }, caller))
  await pool.end()
  return recorder.result()
}
