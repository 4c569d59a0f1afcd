import { sql } from 'kysely'
import { ALL_GENERATIONS, latestTokenExpiry } from '../domain/revocation/revocation.ts'
import type { Access } from './access.ts'
import { keepEveryLastSeen } from './social-login/last-seen.ts'
import { newLineageOnSqlite } from './sqlite/new-lineage.ts'

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
  await startNewLineage(database, count, now)
  return signOut ? endAllSessions(database, now) : { users: 0, owners: 0, agents: 0 }
}

/**
 * Ids assigned after the backup are in tokens, in the databases of apps and in the cursors of event readers. Assigned
 * again, they would identify another user. PostgreSQL does this by itself when it sees a new timeline, but a dump that is
 * restored into the same server, or the snapshot of a disk, has the timeline of the original.
 */
async function startNewLineage(access: Access, skip: number, now: number): Promise<void> {
  if (access.engine === 'sqlite') return newLineageOnSqlite(access, skip, now)
  await sql`select from gatehouse_server_v1() here,
    gatehouse_new_lineage_v1(here.system_id, here.timeline, ${skip}, ${latestTokenExpiry(0)})`.execute(access.write)
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
