import type { ClientBase } from 'pg'
import { Unavailable } from '../../domain/unavailable.ts'

/** `query_timeout` is pg's: the check must end although the connection has no timeouts, as that of the migrations. */
const IN_RECOVERY = { text: 'select pg_is_in_recovery() as standby', query_timeout: 5_000 }

/** A standby, or a primary that is still starting: it rejects writes, and its revocations may be out of date. */
export class ServerInRecovery extends Unavailable {
  constructor() {
    super('this PostgreSQL server is a standby: it is in recovery')
  }
}

/**
 * Every new connection passes this function before its first use (`server-client.ts`); if it throws, the connection is
 * closed. A primary becomes a standby only by a restart, which closes its connections, so one check covers the life of a
 * connection.
 */
export async function checkServer(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ standby: boolean }>(IN_RECOVERY)
  if (rows[0]?.standby !== false) throw new ServerInRecovery()
}
