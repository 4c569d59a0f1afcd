import { sql } from 'kysely'
import { ALL_GENERATIONS, latestTokenExpiry } from '../domain/revocation/revocation.ts'
import type { Access } from './access.ts'

export interface Restoring {
  /** How many ids to skip in every table. */
  readonly skipIds: number
  /** Ends all sessions and grants. */
  readonly signOut: boolean
}

/** The number of sessions and grants that were ended. */
export interface SignedOut {
  readonly users: number
  readonly owners: number
  readonly agents: number
}

/** Prepares a restored database: it does not contain the ids and tokens that were issued after the backup. */
export async function afterRestore(
  database: Access,
  { skipIds: count, signOut }: Restoring,
  now: number,
): Promise<SignedOut> {
  await skipIds(database, count)
  return signOut ? endAllSessions(database, now) : { users: 0, owners: 0, agents: 0 }
}

/**
 * Ids assigned after the backup are in tokens, in the databases of apps and in the cursors of event readers. Assigned
 * again, they would identify another user.
 */
async function skipIds({ engine, write }: Access, count: number): Promise<void> {
  // Users and events are numbered per tenant; a tenant without any has no counter yet.
  for (const bucket of ['user-ids', 'event-ids']) {
    await sql`insert into counters (scope, bucket, starts_at, used)
      select 'tenant:' || id, ${bucket}, 0, cast(${count} as bigint) from tenants where true
      on conflict (scope, bucket, starts_at) do update set used = counters.used + excluded.used`.execute(write)
  }
  if (engine === 'postgres') {
    await sql`select setval(format('%I.%I', schemaname, sequencename)::regclass, coalesce(last_value, 0) + ${count}::bigint)
      from pg_sequences where schemaname = current_schema()`.execute(write)
    return
  }
  // sqlite_sequence lists a table only after its first insert.
  await sql`insert into sqlite_sequence (name, seq) select name, 0 from sqlite_master
    where type = 'table' and sql like '%autoincrement%' and name not in (select name from sqlite_sequence)`.execute(
    write,
  )
  await sql`update sqlite_sequence set seq = seq + ${count}`.execute(write)
}

/**
 * Ends all sessions and grants. Otherwise refresh tokens that were spent after the backup, and sessions and grants that
 * were ended after it, would be valid again. Tenant keys are unchanged.
 */
function endAllSessions(access: Access, now: number): Promise<SignedOut> {
  return access.inTransaction(async ({ write }) => {
    // The lost instance may have issued access tokens until now.
    await sql`insert into revocations (kind, tenant_id, subject_id, generation, until_ms)
      select 'session', tenant_id, id, cast(${ALL_GENERATIONS} as integer), cast(${latestTokenExpiry(now)} as bigint) from sessions`.execute(
      write,
    )
    const users = await write.deleteFrom('sessions').executeTakeFirstOrThrow()
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
