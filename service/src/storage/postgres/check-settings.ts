import { type Kysely, sql } from 'kysely'
import type { Warn } from '../database.ts'
import type { Tables } from '../tables/tables.ts'

interface Settings {
  readonly statement_timeout: string
  readonly idle_in_transaction_session_timeout: string
  readonly synchronous_commit: string
  readonly role: string
}

/** Warns of settings with which the service works, but keeps less than it promises. Asked on a connection of the pool. */
export async function checkSettings(db: Kysely<Tables>, warn: Warn): Promise<void> {
  const { rows } = await sql<Settings>`select current_setting('statement_timeout') as statement_timeout,
    current_setting('idle_in_transaction_session_timeout') as idle_in_transaction_session_timeout,
    current_setting('synchronous_commit') as synchronous_commit, format('%I', current_user) as role`.execute(db)
  const settings = rows[0] as Settings
  // A pooler does not pass on the timeouts that we send with a connection.
  if (settings.statement_timeout === '0' || settings.idle_in_transaction_session_timeout === '0') {
    warn(
      `PostgreSQL limits the time of no statement or transaction of this role, so a slow one would keep its connection. Run: alter role ${settings.role} set statement_timeout = '5s'; alter role ${settings.role} set idle_in_transaction_session_timeout = '10s'`,
    )
  }
  if (settings.synchronous_commit === 'off') {
    warn(
      'synchronous_commit is off in PostgreSQL: if the server crashes, it loses changes that were confirmed, such as sign-outs, and assigns their ids again. Set it to on',
    )
  }
}
