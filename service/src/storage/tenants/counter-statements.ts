import { type Kysely, sql } from 'kysely'
import type { Counter } from '../../domain/limits/counter.ts'
import type { Slots } from '../slots.ts'
import { statement } from '../statement.ts'
import type { Tables } from '../tables.ts'

interface Spent {
  readonly counter: Counter
  readonly by: number
}

const KEY = ['scope', 'bucket', 'starts_at'] as const

const added = (db: Kysely<Tables>, { counter, by }: Slots<Spent>) =>
  db
    .insertInto('counters')
    .values({ scope: counter.scope, bucket: counter.window, starts_at: counter.start, used: by })
    .returning('used')

export const spendFreely = statement((db, spent: Slots<Spent>) =>
  added(db, spent).onConflict((conflict) =>
    conflict.columns(KEY).doUpdateSet((eb) => ({ used: eb('counters.used', '+', eb.ref('excluded.used')) })),
  ),
)

/** `usedBefore`: where it must be, at most. */
export const spendWithin = statement((db, spent: Slots<Spent & { usedBefore: number }>) =>
  added(db, spent).onConflict((conflict) =>
    conflict
      .columns(KEY)
      .doUpdateSet((eb) => ({ used: eb('counters.used', '+', eb.ref('excluded.used')) }))
      .where('counters.used', '<=', spent.usedBefore),
  ),
)

/** Rows are taken, and on PostgreSQL locked, in the order in which they are named. */
export const spendEach = statement(
  (db, { charges }: Slots<{ charges: readonly { counter: Counter; limit: number }[] }>) => {
    const one = sql.lit(1)
    const limits = charges.map(({ counter, limit }) => sql`when ${counter.window} then cast(${limit} as bigint)`)
    return db
      .insertInto('counters')
      .values(
        charges.map(({ counter: { scope, window, start } }) => ({
          scope,
          bucket: window,
          starts_at: start,
          used: one,
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(KEY)
          .doUpdateSet((eb) => ({ used: eb('counters.used', '+', one) }))
          .where('counters.used', '<', sql<number>`case excluded.bucket ${sql.join(limits, sql` `)} end`),
      )
      .returning(['bucket', 'used'])
  },
)

export const readCounters = statement((db, { counters }: Slots<{ counters: readonly Counter[] }>) =>
  db
    .selectFrom('counters')
    .select([...KEY, 'used'])
    .where((eb) =>
      eb.or(
        counters.map(({ scope, window, start }) =>
          eb.and([eb('scope', '=', scope), eb('bucket', '=', window), eb('starts_at', '=', start)]),
        ),
      ),
    ),
)
