import { sql } from 'kysely'
import type { Counter } from '../../domain/limits/counter.ts'
import type { CounterStore } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'
import { readCounters, spendEach, spendFreely, spendWithin } from './counter-statements.ts'

export function counterStore(access: Access): CounterStore {
  return {
    async spend(counter, by, limit) {
      // The first of a window has no row to compare with, so it is compared here.
      if (limit !== null && by > limit) return null
      // One statement, so that two at once cannot both take the last (docs/storage.md). No row: refused.
      const row =
        limit === null
          ? await spendFreely.first(access.write, { counter, by })
          : await spendWithin.first(access.write, { counter, by, usedBefore: limit - by })
      return row?.used ?? null
    },

    async spendEach(charges) {
      // The first of a window has no row to compare with, so it is compared here too.
      const possible = charges.filter(({ limit }) => limit !== 0)
      const limited = possible.map(({ counter, limit }) => ({ counter, limit: limit ?? Number.MAX_SAFE_INTEGER }))
      const rows = limited.length === 0 ? [] : await spendEach.rows(access.write, { charges: limited })
      const used = new Map(rows.map((row) => [row.bucket, row.used]))
      return charges.map(({ counter }) => used.get(counter.window) ?? null)
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
        .where('scope', '=', counter.scope)
        .where('bucket', '=', counter.window)
        .where('starts_at', '=', counter.start)
        .execute()
    },

    async read(counters) {
      if (counters.length === 0) return []
      const rows = await readCounters.rows(access.read, { counters })
      const used = new Map(rows.map((row) => [`${row.scope} ${row.bucket} ${row.starts_at}`, row.used]))
      return counters.map(({ scope, window, start }: Counter) => used.get(`${scope} ${window} ${start}`) ?? 0)
    },

    async sweep(startedBefore, limit) {
      // Written out, because a partial index is used only when the planner can see that it applies.
      const minutes = sql<boolean>`bucket = 'minute'`
      const { numDeletedRows } = await access.write
        .deleteFrom('counters')
        .where(minutes)
        .where((eb) =>
          eb(
            eb.refTuple('scope', 'starts_at'),
            'in',
            eb
              .selectFrom('counters')
              .select(['scope', 'starts_at'])
              .where(minutes)
              .where('starts_at', '<', startedBefore)
              .limit(limit)
              .$asTuple('scope', 'starts_at'),
          ),
        )
        .executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    },

    async removeScope(scope) {
      await access.write.deleteFrom('counters').where('scope', '=', scope).execute()
    },
  }
}
