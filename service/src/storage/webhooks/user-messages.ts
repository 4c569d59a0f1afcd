import type { Selectable } from 'kysely'
import type { Progress, UserMessageStore } from '../../domain/stores/stores.ts'
import type { UserMessage } from '../../domain/webhooks/delivery.ts'
import type { WebhookRef } from '../../domain/webhooks/webhook.ts'
import type { Access, TransactionAccess } from '../access.ts'
import type { Slots } from '../slots.ts'
import { statement } from '../statement.ts'
import { sweepExpired } from '../sweep-expired.ts'
import type { Tables } from '../tables/tables.ts'
import { patternOf } from './webhooks.ts'

const KEY = ['tenant_id', 'user_id', 'webhook_id', 'kind'] as const

export function userMessageStore(access: Access): UserMessageStore {
  return {
    async record(tenantId, kind, users, now) {
      if (users.length === 0) return
      await access.inTransaction(async ({ read, write, pendingEvents }) => {
        const endpoints = await wanting.rows(read, { tenantId, pattern: patternOf(kind) })
        if (endpoints.length === 0) return
        const change = { tenant_id: tenantId, kind, version: 1, at_ms: now, attempt: 0, due_at: now }
        const rows = users.flatMap(({ id, email = null }) =>
          endpoints.map((endpoint) => ({ ...change, webhook_id: endpoint.id, user_id: id, email })),
        )
        await write
          .insertInto('webhook_messages')
          .values(rows)
          .onConflict((conflict) =>
            conflict.columns(KEY).doUpdateSet((eb) => ({
              version: eb('webhook_messages.version', '+', 1),
              at_ms: now,
              attempt: 0,
              due_at: now,
            })),
          )
          .execute()
        pendingEvents.deliverable.push({ tenantId, kinds: [kind] })
      })
    },

    async due({ tenantId, id }, now, limit) {
      const rows = await access.read
        .selectFrom('webhook_messages')
        .selectAll()
        .where((eb) => eb.and({ tenant_id: tenantId, webhook_id: id }))
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .orderBy('user_id')
        .limit(limit)
        .execute()
      return rows.map(messageFrom)
    },

    async removeByUser(tenantId, userId) {
      await access.write
        .deleteFrom('webhook_messages')
        .where((eb) => eb.and({ tenant_id: tenantId, user_id: userId }))
        .execute()
    },

    sweep: sweepExpired(access, 'webhook_messages', { key: KEY, where: ['at_ms', '<'] }),
  }
}

const wanting = statement((db, { tenantId, pattern }: Slots<{ tenantId: string; pattern: string }>) =>
  db.selectFrom('webhooks').select('id').where('tenant_id', '=', tenantId).where('events', 'like', pattern),
)

const messageFrom = (row: Selectable<Tables['webhook_messages']>): UserMessage => ({
  kind: row.kind,
  userId: row.user_id,
  email: row.email,
  version: row.version,
  attempt: row.attempt,
  at: row.at_ms,
})

/** What became of the messages of a delivery. One that changed meanwhile stays, and is sent again. */
export async function saveMessages(
  { write }: TransactionAccess,
  ref: WebhookRef,
  { messageRetries, settledMessages }: Progress,
): Promise<void> {
  for (const { dueAt, attempt, ...message } of messageRetries) {
    await write
      .updateTable('webhook_messages')
      .set({ attempt, due_at: dueAt })
      .where('tenant_id', '=', ref.tenantId)
      .where('webhook_id', '=', ref.id)
      .where('user_id', '=', message.userId)
      .where('kind', '=', message.kind)
      .where('version', '=', message.version)
      .execute()
  }
  for (const { userId, kind, version } of settledMessages) {
    await write
      .deleteFrom('webhook_messages')
      .where((eb) => eb.and({ tenant_id: ref.tenantId, webhook_id: ref.id, user_id: userId, kind, version }))
      .execute()
  }
}
