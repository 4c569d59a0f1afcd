import { sql } from 'kysely'
import { latestTokenExpiry } from '../../domain/revocation/revocation.ts'
import type { Access } from '../access.ts'
import { publishRevocation } from '../revocations.ts'

const FLOOR_UNIT = 1_000_000

/**
 * The counterpart of gatehouse_new_lineage_v1 (migrations/0001-initial/lineage.ts): no id is assigned again, and verify
 * refuses the sessions that began after the backup. SQLite commits in the order of ids, so a backup has no holes.
 */
export function newLineageOnSqlite(access: Access, skip: number, now: number): Promise<void> {
  return access.inTransaction(async (open) => {
    const { write } = open
    // sqlite_sequence lists a table only after its first insert.
    await sql`insert into sqlite_sequence (name, seq) select name, 0 from sqlite_master
      where type = 'table' and sql like '%autoincrement%' and name not in (select name from sqlite_sequence)`.execute(
      write,
    )
    await sql`update sqlite_sequence set seq = seq + ${skip}`.execute(write)
    const { rows } = await sql<{ first: number; last: number; used: number }>`select
      coalesce((select max(id) from sessions), 0) + 1 as first,
      (select seq from sqlite_sequence where name = 'sessions') as last,
      max(
        coalesce((select max(used) from counters where bucket like '%-ids'), 0),
        coalesce((select max(last_event_id) from event_counts), 0),
        coalesce((select id_floor from lineage), 0)
      ) as used`.execute(write)
    const [{ first, last, used } = { first: 1, last: skip, used: 0 }] = rows
    const lost = { kind: 'sessions-lost', tenantId: '*', first, last, until: latestTokenExpiry(now) } as const
    await publishRevocation(open, lost, now)
    const floor = Math.ceil((used + skip) / FLOOR_UNIT) * FLOOR_UNIT
    await sql`insert into lineage (id, system_id, timeline, mark, since_ms, id_floor) values (1, '', 0, '', ${now}, ${floor})
      on conflict (id) do update set since_ms = excluded.since_ms, id_floor = excluded.id_floor`.execute(write)
  })
}
