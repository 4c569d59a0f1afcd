import type { Bench } from '../bench.ts'
import type { Setup } from '../contenders/setup.ts'
import { hasPgbench, pgbenchRound, type StatementLoad } from './pgbench.ts'
import { statementRound } from './statement-round.ts'

const CONCURRENCIES = [4, 8, 16, 32]

/**
 * The same refresh as one prepared statement sent directly to PostgreSQL, at its best concurrency: the upper bound for a
 * service that sends each refresh as a separate statement.
 */
export async function statementSetup(
  bench: Bench,
  workload: string,
  load: Omit<StatementLoad, 'folder'>,
): Promise<Setup> {
  const pgbench = hasPgbench()
  const statementLoad = { ...load, folder: bench.folder }
  const once = pgbench ? pgbenchRound : statementRound
  const tried: { readonly connections: number; readonly perSecond: number }[] = []
  for (const connections of CONCURRENCIES) {
    const { requests, seconds } = await once(statementLoad, { connections, seconds: 1 })
    tried.push({ connections, perSecond: requests / seconds })
  }
  const { connections } = tried.reduce((best, each) => (each.perSecond > best.perSecond ? each : best))
  return {
    contender: pgbench ? 'pgbench, one statement' : 'pg client, one statement (pgbench not installed)',
    workload,
    durability: `PostgreSQL, fsync on, ${connections} connections`,
    pids: () => [],
    driver: {
      prepare: async () => {},
      round: ({ seconds }) => once(statementLoad, { connections, seconds }),
      stop: () => {},
    },
    programs: [],
  }
}
