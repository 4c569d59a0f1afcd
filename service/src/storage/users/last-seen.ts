import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { EndedSession, TransactionAccess } from '../access.ts'
import type { Tables } from '../tables/tables.ts'

/**
 * When a user was last seen, for queries of `users`: the later of the row's `last_seen`, which a sign-in writes, and the
 * latest use of the user's sessions. A refresh writes the session anyway; the user would be a second row at a random
 * place (docs/hot-path.md). Reads every session of the user, by the index `sessions_by_user`.
 */
export const LAST_SEEN: RawBuilder<number> = sql<number>`coalesce((
  select max(seen.rotated_at) from sessions seen
  where seen.resource_id = users.resource_id and seen.user_id = users.id and seen.tenant_id = users.tenant_id
    and seen.rotated_at > users.last_seen
), users.last_seen)`

/**
 * Carries the use of deleted sessions over to the users, so that no `last_seen` goes back. Runs at the end of the
 * transaction that deleted them: it has counted its events, and a sign-in locks that counter before the user.
 */
export async function keepLastSeen({
  engine,
  write,
  endedSessions,
}: TransactionAccess): Promise<void> {
  if (endedSessions.length === 0) {
    return
  }
  const ended = latestOfEachUser(endedSessions)
  const update = engine === 'sqlite' ? keepOnSqlite(ended) : keepOnPostgres(ended)
  await update.execute(write)
}

/** Carries the use of all sessions over to the users, before all sessions are deleted. */
export async function keepEveryLastSeen(write: Kysely<Tables>): Promise<void> {
  await sql`
    update users set last_seen = ended.rotated_at from (
      select tenant_id, resource_id, user_id, max(rotated_at) as rotated_at from sessions
      group by tenant_id, resource_id, user_id
    ) as ended
    where users.resource_id = ended.resource_id and users.id = ended.user_id and users.tenant_id = ended.tenant_id
      and users.last_seen < ended.rotated_at`.execute(write)
}

/** The latest session of each user, in the order of the users' primary key. */
function latestOfEachUser(sessions: readonly EndedSession[]): EndedSession[] {
  const latest = new Map<string, EndedSession>()
  for (const session of sessions) {
    const key = `${session.resource_id} ${session.user_id}`
    if (session.rotated_at > (latest.get(key)?.rotated_at ?? 0)) {
      latest.set(key, session)
    }
  }
  return [...latest.values()].sort(
    (one, other) => one.resource_id - other.resource_id || one.user_id - other.user_id,
  )
}

function keepOnSqlite(ended: readonly EndedSession[]): RawBuilder<unknown> {
  const sessions = JSON.stringify(ended)
  return sql`
    update users set last_seen = ended.value ->> 'rotated_at' from json_each(${sessions}) as ended
    where users.resource_id = ended.value ->> 'resource_id' and users.id = ended.value ->> 'user_id'
      and users.tenant_id = ended.value ->> 'tenant_id' and users.last_seen < ended.value ->> 'rotated_at'`
}

/** Locks the users in the order of their key, so that two sweepers cannot wait for each other. */
const keepOnPostgres = (ended: readonly EndedSession[]): RawBuilder<unknown> => sql`
  with ended as (
    select * from unnest(
      ${ended.map(({ tenant_id }) => tenant_id)}::text[],
      ${ended.map(({ resource_id }) => resource_id)}::bigint[],
      ${ended.map(({ user_id }) => user_id)}::bigint[],
      ${ended.map(({ rotated_at }) => rotated_at)}::bigint[]
    ) as ended (tenant_id, resource_id, user_id, rotated_at)
  ), locked as (
    select users.resource_id, users.id, users.tenant_id, ended.rotated_at from ended
      join users on users.resource_id = ended.resource_id and users.id = ended.user_id
        and users.tenant_id = ended.tenant_id
      where users.last_seen < ended.rotated_at
      order by users.resource_id, users.id for no key update of users
  )
  update users set last_seen = locked.rotated_at from locked
  where users.resource_id = locked.resource_id and users.id = locked.id and users.tenant_id = locked.tenant_id`
