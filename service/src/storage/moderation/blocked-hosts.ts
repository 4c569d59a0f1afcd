import type { Kysely } from 'kysely'
import type { BlockedHostStore } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'
import type { Slots } from '../slots.ts'
import { statement } from '../statement.ts'
import type { Tables } from '../tables/tables.ts'

const findAny = statement((db: Kysely<Tables>, { hosts }: Slots<{ hosts: readonly string[] }>) =>
  db.selectFrom('blocked_hosts').select('host').where('host', 'in', hosts),
)

export function blockedHostStore(access: Access): BlockedHostStore {
  return {
    async add(host, reason, now) {
      const row = await access.write
        .insertInto('blocked_hosts')
        .values({ host, reason, blocked_at: now })
        .onConflict((conflict) => conflict.column('host').doNothing())
        .returning('host')
        .executeTakeFirst()
      return row !== undefined
    },

    async remove(host) {
      const { numDeletedRows } = await access.write
        .deleteFrom('blocked_hosts')
        .where('host', '=', host)
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },

    async findAny(hosts) {
      if (hosts.length === 0) return null
      return (await findAny.first(access.read, { hosts }))?.host ?? null
    },

    async list() {
      const rows = await access.read.selectFrom('blocked_hosts').selectAll().orderBy('host').execute()
      return rows.map(({ host, reason, blocked_at }) => ({ host, reason, blockedAt: blocked_at }))
    },
  }
}
