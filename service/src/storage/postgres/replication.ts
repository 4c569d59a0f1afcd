import { type Kysely, sql } from 'kysely'
import type { ReplicationStats } from '../database.ts'
import type { Tables } from '../tables/tables.ts'

const REFRESH_AFTER_MS = 10_000

/**
 * The standbys that stream from the server. Every role sees how many there are; their state is empty unless the role is a
 * member of pg_monitor, so it is unknown then.
 */
const STANDBYS = sql<{ standbys: number; synchronous: number | null }>`select count(*)::int as standbys,
  case when count(*) = count(sync_state) then count(*) filter (where sync_state in ('sync', 'quorum'))::int end as synchronous
  from pg_stat_replication`

/** For metrics: returns what was read last, and reads again in the background. null: not read yet, or unreachable. */
export function replicationStats(db: Kysely<Tables>, now = () => performance.now()): () => ReplicationStats | null {
  let last: ReplicationStats | null = null
  let readAt = Number.NEGATIVE_INFINITY

  async function read(): Promise<void> {
    try {
      last = (await STANDBYS.execute(db)).rows[0] ?? null
    } catch {
      // /readyz and the feed report an unreachable database.
      last = null
    }
  }

  return () => {
    if (now() - readAt >= REFRESH_AFTER_MS) {
      readAt = now()
      void read()
    }
    return last
  }
}
