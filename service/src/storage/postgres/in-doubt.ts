import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { Unavailable } from '../../domain/api-error.ts'
import type { InDoubt } from '../database.ts'
import type { Tables } from '../tables/tables.ts'
import type { Lineage } from './connection/lineage.ts'

/**
 * PostgreSQL remembers whether a recent transaction was committed (pg_xact_status). A promoted standby assigns again the
 * transaction ids that it has not received, so there the status is that of another transaction. `retryAfterMs`: a server that
 * lost the connection ends the transaction at once; one that restarts needs seconds.
 */
export const inDoubtOnPostgres = (
  db: Kysely<Tables>,
  lineage: Pick<Lineage, 'mark'>,
  retryAfterMs: readonly number[],
): InDoubt => ({
  async idOf(transaction) {
    const { rows } = await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(transaction)
    return `${lineage.mark} ${rows[0]?.id}`
  },

  async outcomeOf(markAndId) {
    const [mark = '', id = ''] = markAndId.split(' ')
    for (const delay of retryAfterMs) {
      const status = await statusOf(db, id)
      if (mark !== lineage.mark) return 'unknown'
      if (status === 'committed') return 'committed'
      if (status === 'aborted') return 'rolled back'
      await sleep(delay)
    }
    return 'unknown'
  },
})

/** null: unreachable, or a server that does not know the transaction, such as a promoted standby. */
async function statusOf(db: Kysely<Tables>, id: string): Promise<string | null> {
  try {
    const query = sql<{ status: string | null }>`select pg_xact_status(cast(${id} as xid8)) as status`
    return (await query.execute(db)).rows[0]?.status ?? null
  } catch (error) {
    if (error instanceof Unavailable || (error as { code?: unknown }).code === INVALID_PARAMETER) return null
    throw error
  }
}

/** "transaction ID … is in the future" */
const INVALID_PARAMETER = '22023'
