import type { WebhookKind } from '@gatehouse/contract'
import { type Selectable, sql, type UpdateObject } from 'kysely'
import type { WebhookChanges, WebhookStore } from '../../domain/stores/stores.ts'
import type { Webhook, WebhookRef } from '../../domain/webhooks/webhook.ts'
import type { Access } from '../access.ts'
import type { Slots } from '../slots.ts'
import { statement } from '../statement.ts'
import type { Tables } from '../tables/tables.ts'
import { lockTenant } from '../tenants/lock-tenant.ts'

/** Tables with rows of an endpoint, apart from its own. */
const DEPENDENT = ['webhook_retries', 'webhook_messages', 'webhook_attempts'] as const

const byTenant = statement((db, { tenantId }: Slots<{ tenantId: string }>) =>
  db.selectFrom('webhooks').selectAll().where('tenant_id', '=', tenantId).orderBy('created_at').orderBy('id'),
)

export function webhookStore(access: Access): WebhookStore {
  const one = ({ tenantId, id }: WebhookRef) =>
    access.read.selectFrom('webhooks').selectAll().where('tenant_id', '=', tenantId).where('id', '=', id)

  return {
    async add({ tenantId, id, url, events, sealed, cursor, createdAt }, limit) {
      return access.inTransaction(async (open) => {
        await lockTenant(open, tenantId)
        const rows = await open.read.selectFrom('webhooks').select('id').where('tenant_id', '=', tenantId).execute()
        if (rows.some((row) => row.id === id)) return 'exists'
        if (rows.length >= limit) return 'limit'
        const fresh = { status: 'active', failures: 0, attempts: 0 } as const
        const columns = { tenant_id: tenantId, id, url, events: JSON.stringify(events), sealed, cursor }
        await open.write
          .insertInto('webhooks')
          .values({ ...columns, ...fresh, created_at: createdAt })
          .execute()
        return 'added'
      })
    },

    async find(ref) {
      const row = await one(ref).executeTakeFirst()
      return row === undefined ? null : webhookFrom(row)
    },

    async lock(ref) {
      // SQLite needs no lock: a transaction is the only writer from its first statement on.
      const row = await (access.engine === 'postgres' ? one(ref).forNoKeyUpdate() : one(ref)).executeTakeFirst()
      return row === undefined ? null : webhookFrom(row)
    },

    listByTenant: async (tenantId) => (await byTenant.rows(access.read, { tenantId })).map(webhookFrom),

    async change({ tenantId, id }, changes) {
      return access.inTransaction(async ({ write }) => {
        const row = await write
          .updateTable('webhooks')
          .set({ ...columnsFrom(changes), lease_until: null })
          .where((eb) => eb.and({ tenant_id: tenantId, id }))
          .returningAll()
          .executeTakeFirst()
        if (changes.events !== undefined) {
          const waiting = write.deleteFrom('webhook_messages').where('tenant_id', '=', tenantId)
          await waiting.where('webhook_id', '=', id).where(sql.ref('kind'), 'not in', changes.events).execute()
        }
        return row === undefined ? null : webhookFrom(row)
      })
    },

    async remove({ tenantId, id }) {
      return access.inTransaction(async ({ write }) => {
        const { numDeletedRows } = await write
          .deleteFrom('webhooks')
          .where((eb) => eb.and({ tenant_id: tenantId, id }))
          .executeTakeFirstOrThrow()
        for (const table of DEPENDENT) {
          await write.deleteFrom(table).where('tenant_id', '=', tenantId).where('webhook_id', '=', id).execute()
        }
        return numDeletedRows > 0n
      })
    },

    async removeByTenant(tenantId) {
      await access.inTransaction(async ({ write }) => {
        for (const table of ['webhooks', ...DEPENDENT] as const) {
          await write.deleteFrom(table).where('tenant_id', '=', tenantId).execute()
        }
      })
    },

    async countRetries(tenantId) {
      const rows = await access.read
        .selectFrom('webhook_retries')
        .select(({ fn }) => ['webhook_id', fn.countAll<number>().as('count')])
        .where('tenant_id', '=', tenantId)
        .groupBy('webhook_id')
        .execute()
      return new Map(rows.map(({ webhook_id, count }) => [webhook_id, Number(count)]))
    },
  }
}

/** Kysely leaves out what is undefined. */
const columnsFrom = (changes: WebhookChanges): UpdateObject<Tables, 'webhooks'> => ({
  url: changes.url,
  events: changes.events && JSON.stringify(changes.events),
  sealed: changes.sealed,
  previous_sealed: changes.previousSealed,
  previous_until: changes.previousUntil,
  cursor: changes.cursor,
  replay_after: changes.replay?.after,
  replay_until: changes.replay?.until,
  status: changes.disabledReason === undefined ? undefined : changes.disabledReason === null ? 'active' : 'disabled',
  disabled_reason: changes.disabledReason,
  failing_since: changes.failingSince,
  failures: changes.failures,
  next_look_at: changes.nextLookAt,
})

/** The column is a list in JSON. LIKE reads the _ of a kind as any character, and no two kinds differ only there. */
export const patternOf = (kind: WebhookKind): string => `%"${kind}"%`

// A literal, not a parameter: the planner uses a partial index only if the statement's text implies its condition.
export const ACTIVE = sql.lit('active' as const)

type WebhookRow = Selectable<Tables['webhooks']>

export const webhookFrom = (row: WebhookRow): Webhook => ({
  tenantId: row.tenant_id,
  id: row.id,
  url: row.url,
  events: JSON.parse(row.events) as WebhookKind[],
  sealed: row.sealed,
  previousSealed: row.previous_sealed,
  previousUntil: row.previous_until,
  cursor: row.cursor,
  replay:
    row.replay_after === null || row.replay_until === null
      ? null
      : { after: row.replay_after, until: row.replay_until },
  disabledReason: row.status === 'active' ? null : (row.disabled_reason ?? 'owner'),
  failingSince: row.failing_since,
  failures: row.failures,
  leaseUntil: row.lease_until,
  nextLookAt: row.next_look_at,
  createdAt: row.created_at,
})
