import type { Bench } from '../bench.ts'
import type { Entry } from '../contenders/entry.ts'
import { hasPgbench, pgbenchRound, type StatementLoad } from './pgbench.ts'
import { statementRound } from './statement-round.ts'

const CONCURRENCIES = [4, 8, 16, 32]

/**
 * The same refresh as one prepared statement straight to PostgreSQL, at the concurrency at which it is fastest here:
 * what a service that sends each refresh by itself could reach at best.
 */
export async function statementEntry(bench: Bench, work: string, load: Omit<StatementLoad, 'folder'>): Promise<Entry> {
  const pgbench = hasPgbench()
  const asked = { ...load, folder: bench.folder }
  const once = pgbench ? pgbenchRound : statementRound
  const tried: { readonly connections: number; readonly perSecond: number }[] = []
  for (const connections of CONCURRENCIES) {
    const { requests, seconds } = await once(asked, { connections, seconds: 1 })
    tried.push({ connections, perSecond: requests / seconds })
  }
  const { connections } = tried.reduce((best, each) => (each.perSecond > best.perSecond ? each : best))
  return {
    contender: pgbench ? 'pgbench, one statement' : 'pg program, one statement (no pgbench here)',
    work,
    durability: `PostgreSQL, fsync on, ${connections} at once`,
    pids: () => [],
    driver: {
      prepare: async () => {},
      round: ({ seconds }) => once(asked, { connections, seconds }),
      stop: () => {},
    },
    programs: [],
  }
}
