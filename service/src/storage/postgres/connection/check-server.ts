import type { ClientBase, QueryResult } from 'pg'
import { Unavailable } from '../../../domain/api-error.ts'
import { latestTokenExpiry } from '../../../domain/revocation/revocation.ts'
import type { FenceRow, Lineage } from './lineage.ts'

/** Before the first migration there is no fence. */
const STATE = `select pg_is_in_recovery() as standby, to_regproc('gatehouse_fence_v1') is not null as migrated`

/** How many ids to skip when the database continues without its last changes. */
export const SKIPPED_IDS = 1_000_000

/**
 * One message is one transaction, and the server completes it although the client may have left. Without a statement
 * timeout, because the first call after a failover reads every counter.
 */
const FENCE = {
  text: `set local statement_timeout = 0; select * from gatehouse_fence_v1(${SKIPPED_IDS}, ${latestTokenExpiry(0)})`,
  query_timeout: 60_000,
}

/** A standby, or a primary that is still starting: it rejects writes, and its revocations may be out of date. */
export class ServerInRecovery extends Unavailable {
  constructor() {
    super('this PostgreSQL server is a standby: it is in recovery')
  }
}

/**
 * Every new connection passes this function before its first use (`server-client.ts`); if it throws, the connection is
 * closed. A primary becomes a standby only by a restart, which closes its connections, so one check covers the life of a
 * connection. `timeoutMs`: the check must end although the connection has no timeouts, as that of the migrations.
 */
export async function checkServer(client: ClientBase, lineage: Lineage, timeoutMs: number): Promise<void> {
  const state = { text: STATE, query_timeout: timeoutMs }
  const { rows } = await client.query<{ standby: boolean; migrated: boolean }>(state)
  if (rows[0]?.standby !== false) throw new ServerInRecovery()
  if (!rows[0].migrated) return
  // pg returns one result for each statement of a text; its types don't say so.
  const results = (await client.query(FENCE)) as unknown as QueryResult<FenceRow>[]
  const found = results[1]?.rows[0]
  if (found === undefined) throw new Error('PostgreSQL returned no lineage')
  lineage.accept(client, found)
}
