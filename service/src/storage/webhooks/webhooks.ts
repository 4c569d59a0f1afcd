import type { WebhookKind } from '@gatehouse-auth/contract'
import { type Kysely, type Selectable, sql, type UpdateObject } from 'kysely'
import type { WebhookChanges, WebhookStore } from '../../domain/stores/stores.ts'
import type { Webhook, WebhookRef } from '../../domain/webhooks/webhook.ts'
import type { Access } from '../access.ts'
import type { Slots } from '../slots.ts'
import { statement } from '../statement.ts'
import type { Tables } from '../tables/tables.ts'
import { lockTenant } from '../tenants/lock-tenant.ts'

/** Tables with rows of an endpoint, apart from its own. */
const DEPENDENT = ['webhook_retries', 'webhook_messages', 'webhook_attempts'] as const

export const WEBHOOK_COLUMNS = [
  'tenant_id',
  'id',
  'url',
  'events',
  'sealed',
  'previous_sealed',
  'previous_until',
  'cursor',
  'replay_after',
  'replay_until',
  'status',
  'disabled_reason',
  'failing_since',
  'failures',
  'lease_until',
  'next_look_at',
  'created_at',
] as const

/** With `WEBHOOK_COLUMNS`. */
export const selectWebhooks = (db: Kysely<Tables>) =>
  db.selectFrom('webhooks').select(WEBHOOK_COLUMNS)

const byTenant = statement((db, { tenantId }: Slots<{ tenantId: string }>) =>
  selectWebhooks(db).where('tenant_id', '=', tenantId).orderBy('created_at').orderBy('id'),
)

export function webhookStore(access: Access): WebhookStore {
  const one = ({ tenantId, id }: WebhookRef) =>
    selectWebhooks(access.read).where('tenant_id', '=', tenantId).where('id', '=', id)

  return {
    async add({ tenantId, id, url, events, sealed, cursor, createdAt }, limit) {
      return access.inTransaction(async (open) => {
        await lockTenant(open, tenantId)
        const rows = await open.read
          .selectFrom('webhooks')
          .select('id')
          .where('tenant_id', '=', tenantId)
          .execute()
        if (rows.some((row) => row.id === id)) {
          return 'exists'
        }
        if (rows.length >= limit) {
          return 'limit'
        }

        await open.write
          .insertInto('webhooks')
          .values({
            tenant_id: tenantId,
            id,
            url,
            events: JSON.stringify(events),
            sealed,
            cursor,
            status: 'active',
            failures: 0,
            attempts: 0,
            created_at: createdAt,
          })
          .execute()
        return 'added'
      })
    },

    async find(ref) {
      const row = await one(ref).executeTakeFirst()
      return row === undefined ? null : webhookFrom(row)
    },

    async lock(ref) {
      const query = one(ref)
      // SQLite needs no lock: a transaction is the only writer from its first statement on.
      const locking = access.engine === 'postgres' ? query.forNoKeyUpdate() : query
      const row = await locking.executeTakeFirst()
      return row === undefined ? null : webhookFrom(row)
    },

    async listByTenant(tenantId) {
      const rows = await byTenant.rows(access.read, { tenantId })
      return rows.map(webhookFrom)
    },

    async change({ tenantId, id }, changes) {
      await access.inTransaction(async ({ write }) => {
        await write
          .updateTable('webhooks')
          .set({ ...columnsFrom(changes), lease_until: null })
          .where((eb) => eb.and({ tenant_id: tenantId, id }))
          .execute()

        if (changes.events === undefined) {
          return
        }
        // The endpoint no longer wants the messages of the other kinds.
        await write
          .deleteFrom('webhook_messages')
          .where('tenant_id', '=', tenantId)
          .where('webhook_id', '=', id)
          .where(sql.ref('kind'), 'not in', changes.events)
          .execute()
      })
    },

    async remove({ tenantId, id }) {
      return access.inTransaction(async ({ write }) => {
        const { numDeletedRows } = await write
          .deleteFrom('webhooks')
          .where((eb) => eb.and({ tenant_id: tenantId, id }))
          .executeTakeFirstOrThrow()
        for (const table of DEPENDENT) {
          await write
            .deleteFrom(table)
            .where('tenant_id', '=', tenantId)
            .where('webhook_id', '=', id)
            .execute()
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
  status: statusAfter(changes.disabledReason),
  disabled_reason: changes.disabledReason,
  failing_since: changes.failingSince,
  failures: changes.failures,
  next_look_at: changes.nextLookAt,
})

function statusAfter(disabledReason: WebhookChanges['disabledReason']) {
  if (disabledReason === undefined) {
    return undefined
  }
  return disabledReason === null ? 'active' : 'disabled'
}

/** The column is a list in JSON. LIKE reads the _ of a kind as any character, and no two kinds differ only there. */
export const patternOf = (kind: WebhookKind): string => `%"${kind}"%`

// A literal, not a parameter: the planner uses a partial index only if the statement's text implies its condition.
export const ACTIVE = sql.lit('active' as const)

export type WebhookRow = Omit<Selectable<Tables['webhooks']>, 'attempts'>

export const webhookFrom = (row: WebhookRow): Webhook => ({
  tenantId: row.tenant_id,
  id: row.id,
  url: row.url,
  events: JSON.parse(row.events) as WebhookKind[],
  sealed: row.sealed,
  previousSealed: row.previous_sealed,
  previousUntil: row.previous_until,
  cursor: row.cursor,
  replay: replayFrom(row),
  disabledReason: row.status === 'active' ? null : (row.disabled_reason ?? 'owner'),
  failingSince: row.failing_since,
  failures: row.failures,
  leaseUntil: row.lease_until,
  nextLookAt: row.next_look_at,
  createdAt: row.created_at,
})

function replayFrom(row: WebhookRow): Webhook['replay'] {
  if (row.replay_until === null) {
    return null
  }
  return { after: row.replay_after ?? 0, until: row.replay_until }
}
