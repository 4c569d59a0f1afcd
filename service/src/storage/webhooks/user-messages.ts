import type { Kysely, Selectable } from 'kysely'
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

    due: async (ref, now, limit) => (await due.rows(access.read, { ref, now, limit })).map(messageFrom),

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

const waiting = (db: Kysely<Tables>, { tenantId, id }: Slots<WebhookRef>) =>
  db.selectFrom('webhook_messages').where('tenant_id', '=', tenantId).where('webhook_id', '=', id).orderBy('due_at')

const due = statement((db, { ref, now, limit }: Slots<{ ref: WebhookRef; now: number; limit: number }>) =>
  waiting(db, ref).selectAll().where('due_at', '<=', now).orderBy('user_id').limit(limit),
)

/** The first message that waits. */
export const nextMessage = statement((db, { ref }: Slots<{ ref: WebhookRef }>) =>
  waiting(db, ref).select('due_at').limit(1),
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
  for (const { dueAt, attempt, userId, kind, version } of messageRetries) {
    await write
      .updateTable('webhook_messages')
      .set({ attempt, due_at: dueAt })
      .where((eb) => eb.and({ tenant_id: ref.tenantId, webhook_id: ref.id, user_id: userId, kind, version }))
      .execute()
  }
  for (const { userId, kind, version } of settledMessages) {
    await write
      .deleteFrom('webhook_messages')
      .where((eb) => eb.and({ tenant_id: ref.tenantId, webhook_id: ref.id, user_id: userId, kind, version }))
      .execute()
  }
}
