import { sql } from 'kysely'
import { ALL_GENERATIONS, latestTokenExpiry } from '../domain/revocation/revocation.ts'
import type { Access } from './access.ts'

export interface Restoring {
  /** How many ids of every table to pass over. */
  readonly skipIds: number
  /** Whether everybody has to sign in again. */
  readonly signOut: boolean
}

/** How many sessions and grants were ended. */
export interface SignedOut {
  readonly users: number
  readonly owners: number
  readonly agents: number
}

/** A database that comes from a backup does not know which ids and tokens were issued since the backup was made. */
export async function afterRestore(
  database: Access,
  { skipIds: count, signOut }: Restoring,
  now: number,
): Promise<SignedOut> {
  await skipIds(database, count)
  return signOut ? signEverybodyOut(database, now) : { users: 0, owners: 0, agents: 0 }
}

/**
 * Ids that were given since the backup are in tokens, in the databases of apps and in the cursors of whoever reads the
 * history; given again, they would mean somebody else.
 */
async function skipIds({ engine, write }: Access, count: number): Promise<void> {
  if (engine === 'postgres') {
    await sql`select setval(format('%I.%I', schemaname, sequencename)::regclass, coalesce(last_value, 0) + ${count}::bigint)
      from pg_sequences where schemaname = current_schema()`.execute(write)
    return
  }
  // A table that never had a row is not in the list yet.
  await sql`insert into sqlite_sequence (name, seq) select name, 0 from sqlite_master
    where type = 'table' and sql like '%autoincrement%' and name not in (select name from sqlite_sequence)`.execute(
    write,
  )
  await sql`update sqlite_sequence set seq = seq + ${count}`.execute(write)
}

/**
 * Ends whatever somebody holds a token or a cookie for: refresh tokens that were spent since the backup, and sessions
 * and agents that were ended since, are good again otherwise. Tenant keys stay.
 */
function signEverybodyOut(access: Access, now: number): Promise<SignedOut> {
  return access.inTransaction(async ({ write }) => {
    // The lost service may have issued access tokens until a moment ago, so the time counts from now.
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
