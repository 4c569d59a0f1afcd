import { type Expression, type Kysely, sql } from 'kysely'
import type { Counter, CounterWindow } from '../../domain/limits/counter.ts'
import type { CounterStore } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'
import type { Slots } from '../slots.ts'
import { statement } from '../statement.ts'
import type { Tables } from '../tables/tables.ts'

export function counterStore(access: Access): CounterStore {
  return {
    async spend(counter, by, limit) {
      // The first charge of a window inserts a row, which no condition of the upsert checks.
      if (limit !== null && by > limit) {
        return null
      }
      // One conditional upsert: two concurrent calls cannot both take the last unit (docs/storage.md). No row: over the limit.
      if (limit === null) {
        const { used } = await spendUnlimited.one(access.write, { counter, by })
        return used
      }
      const row = await spendWithin.first(access.write, { counter, by, usedBefore: limit - by })
      return row?.used ?? null
    },

    async nextId(counter) {
      const { used } = await nextId.one(access.write, { counter })
      return used
    },

    async release(counter, by) {
      await access.write
        .updateTable('counters')
        .set((eb) => ({
          used: eb
            .case()
            .when('used', '>', by)
            .then(eb('used', '-', by))
            .else(0)
            .end(),
        }))
        .where((eb) =>
          eb.and({ scope: counter.scope, bucket: counter.window, starts_at: counter.start }),
        )
        .execute()
    },

    async remove({ scope, window, start }) {
      const removed = await access.write
        .deleteFrom('counters')
        .where((eb) => eb.and({ scope, bucket: window, starts_at: start }))
        .returning('used')
        .executeTakeFirst()
      return removed?.used ?? 0
    },

    async sweep(startedBefore, limit) {
      // A literal: the planner uses a partial index only if the statement's text implies its condition.
      const resets = sql<boolean>`bucket in ('minute', 'hour')`
      const { numDeletedRows } = await access.write
        .deleteFrom('counters')
        .where(resets)
        .where((eb) =>
          eb(
            eb.refTuple('scope', 'starts_at'),
            'in',
            eb
              .selectFrom('counters')
              .select(['scope', 'starts_at'])
              .where(resets)
              .where('starts_at', '<', startedBefore)
              .limit(limit)
              .$asTuple('scope', 'starts_at'),
          ),
        )
        .executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    },
  }
}

const spendUnlimited = statement((db, spent: Slots<Spent>) =>
  added(db, spent).onConflict((conflict) =>
    conflict
      .columns(KEY)
      .doUpdateSet((eb) => ({ used: eb('counters.used', '+', eb.ref('excluded.used')) })),
  ),
)

/** `usedBefore`: the counter's highest value at which `by` still fits. */
const spendWithin = statement((db, spent: Slots<Spent & { usedBefore: number }>) =>
  added(db, spent).onConflict((conflict) =>
    conflict
      .columns(KEY)
      .doUpdateSet((eb) => ({ used: eb('counters.used', '+', eb.ref('excluded.used')) }))
      .where('counters.used', '<=', spent.usedBefore),
  ),
)

const nextId = statement((db, { counter }: Slots<Pick<Spent, 'counter'>>) =>
  added(db, { counter, by: firstOf(counter.window) }).onConflict((conflict) =>
    conflict.columns(KEY).doUpdateSet({ used: next }),
  ),
)

/** The first value of a counter: the first id above the floor for ids (`lineage`), otherwise 1. */
const firstOf = (window: Expression<CounterWindow>) =>
  sql<number>`1 + coalesce((select id_floor from lineage where id = 1 and cast(${window} as text) like '%-ids'), 0)`

/** An id is never below the first value, which grows when the database continues without its last changes. */
const next = sql<number>`case when counters.used < excluded.used then excluded.used else counters.used + 1 end`

interface Spent {
  readonly counter: Counter
  readonly by: number
}

const added = (db: Kysely<Tables>, { counter, by }: Slots<Spent>) =>
  db
    .insertInto('counters')
    .values({ scope: counter.scope, bucket: counter.window, starts_at: counter.start, used: by })
    .returning('used')

const KEY = ['scope', 'bucket', 'starts_at'] as const
