import { Pool } from 'pg'
import type { RoundResult } from '../load/round.ts'
import { quantile } from '../statistics.ts'
import type { StatementLoad } from './pgbench.ts'
import { numberedStatement } from './refresh-statement.ts'

/** The stand-in where there is no pgbench: the same statement, named, through `pg`. */
export async function statementRound(
  { databaseUrl, sessions }: StatementLoad,
  { connections, seconds }: { readonly connections: number; readonly seconds: number },
): Promise<RoundResult> {
  const pool = new Pool({ connectionString: databaseUrl, max: connections })
  const cpuBefore = process.cpuUsage()
  const started = performance.now()
  const end = started + seconds * 1_000
  const times: number[] = []
  let wrong: string | null = null
  const caller = async (): Promise<void> => {
    while (performance.now() < end && wrong === null) {
      const asked = performance.now()
      const session = 1 + Math.floor(Math.random() * sessions)
      const { rowCount } = await pool.query({ name: 'refresh', text: numberedStatement, values: [session, Date.now()] })
      if (rowCount !== 1) wrong = `the statement changed ${rowCount} rows`
      times.push(performance.now() - asked)
    }
  }
  await Promise.all(Array.from({ length: connections }, caller))
  const elapsed = (performance.now() - started) / 1_000
  const { user, system } = process.cpuUsage(cpuBefore)
  await pool.end()
  const sorted = Float64Array.from(times).sort()
  return {
    requests: times.length,
    seconds: elapsed,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    loadCpuMs: (user + system) / 1_000,
    wrong,
  }
}
