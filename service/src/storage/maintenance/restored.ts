import { sql } from 'kysely'
import { idFloor } from '../../domain/lineage.ts'
import { ALL_GENERATIONS, latestTokenExpiry } from '../../domain/revocation/revocation.ts'
import type { Access } from '../access.ts'
import { publishRevocation } from '../revocations.ts'
import { keepEveryLastSeen } from '../users/last-seen.ts'

export interface Restoring {
  /** How many ids to skip in every table. */
  readonly skipIds: number
  /** Ends all sessions and grants. */
  readonly signOut: boolean
}

/** The number of sessions and grants that were ended. */
export type SignedOut = Readonly<Record<'users' | 'owners' | 'agents', number>>

/** Prepares a restored database: it does not contain the ids and tokens that were issued after the backup. */
export async function afterRestore(
  database: Access,
  { skipIds: count, signOut }: Restoring,
  now: number,
): Promise<SignedOut> {
  await startNewLineage(database, count, now)
  return signOut ? endAllSessions(database, now) : { users: 0, owners: 0, agents: 0 }
}

/**
 * Ids assigned after the backup are in tokens, in the databases of apps and in the cursors of event readers. Assigned
 * again, they would identify another user. PostgreSQL does this by itself when it sees a new timeline, but a dump that is
 * restored into the same server, or the snapshot of a disk, has the timeline of the original.
 */
async function startNewLineage(access: Access, skip: number, now: number): Promise<void> {
  if (access.engine === 'sqlite') {
    return newLineageOnSqlite(access, skip, now)
  }
  await sql`select from gatehouse_server_v1() here,
    gatehouse_new_lineage_v1(here.system_id, here.timeline, ${skip}, ${latestTokenExpiry(0)})`.execute(
    access.write,
  )
}

/**
 * Ends all sessions and grants. Otherwise refresh tokens that were spent after the backup, and sessions and grants that
 * were ended after it, would be valid again. Tenant keys are unchanged.
 */
function endAllSessions(access: Access, now: number): Promise<SignedOut> {
  return access.inTransaction(async ({ engine, write }) => {
    // Each statement changes a whole table; behind a pooler the role has a limit.
    if (engine === 'postgres') {
      await sql`set local statement_timeout = 0`.execute(write)
    }
    // The lost instance may have issued access tokens until now.
    await sql`insert into revocations (kind, tenant_id, subject_id, generation, until_ms)
      select 'session', tenant_id, id, cast(${ALL_GENERATIONS} as integer), cast(${latestTokenExpiry(now)} as bigint) from sessions`.execute(
      write,
    )
    await keepEveryLastSeen(write)
    const users = await write.deleteFrom('sessions').executeTakeFirstOrThrow()
    await write.deleteFrom('me_sessions').execute()
    const owners = await write.deleteFrom('account_sessions').executeTakeFirstOrThrow()
    for (const table of ['oauth_codes', 'oauth_access_tokens', 'oauth_refresh_tokens'] as const) {
      await write.deleteFrom(table).execute()
    }
    const agents = await write.deleteFrom('oauth_grants').executeTakeFirstOrThrow()
    return {
      users: Number(users.numDeletedRows),
      owners: Number(owners.numDeletedRows),
      agents: Number(agents.numDeletedRows),
    }
  })
}

/**
 * The counterpart of gatehouse_new_lineage_v1 (service/content/functions.postgres.sql): no id is assigned again, and verify
 * refuses the sessions that began after the backup. SQLite commits in the order of ids, so a backup has no holes.
 */
function newLineageOnSqlite(access: Access, skip: number, now: number): Promise<void> {
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
    const until = latestTokenExpiry(now)
    await publishRevocation(open, { kind: 'sessions-lost', tenantId: '*', first, last, until }, now)
    const floor = idFloor(used, skip)
    await sql`insert into lineage (id, system_id, timeline, mark, since_ms, id_floor) values (1, '', 0, '', ${now}, ${floor})
      on conflict (id) do update set since_ms = excluded.since_ms, id_floor = excluded.id_floor`.execute(
      write,
    )
  })
}
