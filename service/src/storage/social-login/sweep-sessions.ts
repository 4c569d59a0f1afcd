import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely'
import type { Access } from '../access.ts'
import type { Tables } from '../tables.ts'

/**
 * Every refresh moves expires_at, so an index on it would be written at every refresh, and on PostgreSQL would end its
 * cheap updates. Instead a session carries the moment to look at it again: the sweeper removes those that have
 * expired by then, and puts the others off to the expiry they have now. A busy session is looked at once a month.
 *
 * Says how many it looked at. A call that looked at `limit` may have left some, whether or not any had expired: with a
 * hundred million sessions in use, more are put off in a minute than one call may touch.
 */
export async function sweepSessions({ write }: Access, now: number, limit: number): Promise<number> {
  const due = (eb: Sessions, count: number) =>
    eb.selectFrom('sessions').select('id').where('sweep_at', '<=', now).orderBy('sweep_at').limit(count)

  const { numDeletedRows } = await write
    .deleteFrom('sessions')
    .where('id', 'in', (eb) => due(eb, limit))
    .where(expired(now))
    .executeTakeFirstOrThrow()
  const removed = Number(numDeletedRows)
  if (removed === limit) return limit

  // What is left of those it looked at comes first now.
  const { numUpdatedRows } = await write
    .updateTable('sessions')
    .set((eb) => ({
      sweep_at: eb
        .case()
        .when('expires_at', '<', eb.ref('absolute_expires_at'))
        .then(eb.ref('expires_at'))
        .else(eb.ref('absolute_expires_at'))
        .end(),
    }))
    .where('id', 'in', (eb) => due(eb, limit - removed))
    .where(({ eb, not }) => not(expired(now)(eb)))
    .executeTakeFirstOrThrow()
  return removed + Number(numUpdatedRows)
}

type Sessions = ExpressionBuilder<Tables, 'sessions'>

const expired =
  (now: number) =>
  (eb: Sessions): ExpressionWrapper<Tables, 'sessions', SqlBool> =>
    eb.or([eb('expires_at', '<=', now), eb('absolute_expires_at', '<=', now)])
