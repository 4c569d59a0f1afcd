import { type Expression, type Kysely, sql } from 'kysely'
import { latestTokenExpiry } from '../../domain/revocation/revocation.ts'
import type { ResourceStore } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'
import { publishRevocation } from '../revocations.ts'
import type { Slots } from '../slots.ts'
import { statement } from '../statement.ts'
import type { Tables } from '../tables.ts'
import { purge } from './purge.ts'
import { RESOURCE_COLUMNS, resourceFrom } from './resource-rows.ts'

// Written out, because a partial index is used only when the planner can see that it applies.
const SOCIAL_LOGIN = sql.lit('social-login' as const)
const ACTIVE = sql.lit('active' as const)
const DELETING = sql.lit('deleting' as const)

const active = (db: Kysely<Tables>, tenantId: Expression<string>) =>
  db
    .selectFrom('resources')
    .select(RESOURCE_COLUMNS)
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', SOCIAL_LOGIN)
    .where('status', '=', ACTIVE)

const find = statement((db, { tenantId }: Slots<{ tenantId: string }>) => active(db, tenantId))
const lock = statement((db, { tenantId }: Slots<{ tenantId: string }>) => active(db, tenantId).forShare())

export function resourceStore(access: Access): ResourceStore {
  return {
    async findActive(tenantId) {
      const row = await find.first(access.read, { tenantId })
      return row === undefined ? null : resourceFrom(row)
    },

    async lockActive(tenantId) {
      // A share lock makes markDeleted wait for us; if it was first, we wait and then see it. SQLite has no such lock
      // and needs none: its transactions begin as the only writer.
      const row = await (access.engine === 'postgres' ? lock : find).first(access.read, { tenantId })
      return row === undefined ? null : resourceFrom(row)
    },

    async provision(tenantId, callbackUrls, now) {
      const callback_urls = JSON.stringify(callbackUrls)
      const row = await access.write
        .insertInto('resources')
        .values({
          tenant_id: tenantId,
          kind: 'social-login',
          status: 'active',
          callback_urls,
          created_at: now,
          updated_at: now,
          deleted_at: null,
        })
        .onConflict((conflict) =>
          conflict
            .columns(['tenant_id', 'kind'])
            .where('status', '=', ACTIVE)
            .doUpdateSet({ callback_urls, updated_at: now }),
        )
        .returning(RESOURCE_COLUMNS)
        .executeTakeFirstOrThrow()
      return resourceFrom(row)
    },

    async markDeleted(tenantId, now) {
      return access.inTransaction(async (open) => {
        const row = await open.write
          .updateTable('resources')
          .set({ status: 'deleting', deleted_at: now })
          .where('tenant_id', '=', tenantId)
          .where('kind', '=', SOCIAL_LOGIN)
          .where('status', '=', ACTIVE)
          .returning(RESOURCE_COLUMNS)
          .executeTakeFirst()
        if (row === undefined) return null
        const until = latestTokenExpiry(now)
        await publishRevocation(open, { kind: 'resource', tenantId, resourceId: row.id, until }, now)
        return resourceFrom(row)
      })
    },

    async listDeleting(limit) {
      const rows = await access.read
        .selectFrom('resources')
        .select(['id', 'tenant_id'])
        .where('status', '=', DELETING)
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(({ id, tenant_id }) => ({ id, tenantId: tenant_id }))
    },

    async purge(tenantId, resourceId, limit) {
      return access.inTransaction((open) => purge(open, { tenantId, resourceId }, limit))
    },
  }
}
