import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely'
import type { Access } from './access.ts'
import type { Tables } from './tables.ts'

/**
 * Every refresh moves expires_at, so an index on it would be written at every refresh, and on PostgreSQL would end its
 * cheap updates. Instead a session carries the moment to look at it again: the sweeper removes those that have
 * expired by then, and puts the others off to the expiry they have now. A busy session is looked at once a month.
 */
export async function sweepSessions({ write }: Access, now: number, limit: number): Promise<number> {
  const { numDeletedRows } = await write
    .deleteFrom('sessions')
    .where('id', 'in', (eb) =>
      eb.selectFrom('sessions').select('id').where('sweep_at', '<=', now).where(expired(now)).limit(limit),
    )
    .where(expired(now))
    .executeTakeFirstOrThrow()

  await write
    .updateTable('sessions')
    .set((eb) => ({
      sweep_at: eb
        .case()
        .when('expires_at', '<', eb.ref('absolute_expires_at'))
        .then(eb.ref('expires_at'))
        .else(eb.ref('absolute_expires_at'))
        .end(),
    }))
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('sessions')
        .select('id')
        .where('sweep_at', '<=', now)
        .where(({ not }) => not(expired(now)(eb)))
        .limit(limit),
    )
    .execute()

  return Number(numDeletedRows)
}

type Sessions = ExpressionBuilder<Tables, 'sessions'>

const expired =
  (now: number) =>
  (eb: Sessions): ExpressionWrapper<Tables, 'sessions', SqlBool> =>
    eb.or([eb('expires_at', '<=', now), eb('absolute_expires_at', '<=', now)])
