import type { Kysely } from 'kysely'
import type { Progress, UserMessageStore } from '../../domain/stores/stores.ts'
import type { UserMessage } from '../../domain/webhooks/delivery.ts'
import type { WebhookRef } from '../../domain/webhooks/webhook.ts'
import type { Access, TransactionAccess } from '../access.ts'
import { camelCase } from '../columns.ts'
import type { Slots } from '../slots.ts'
import { statement } from '../statement.ts'
import { sweepExpired } from '../sweep-expired.ts'
import type { Tables } from '../tables/tables.ts'

const KEY = ['tenant_id', 'user_id', 'webhook_id', 'kind'] as const

export function userMessageStore(access: Access): UserMessageStore {
  return {
    record: (...message) =>
      access.inTransaction(async ({ messages }) => void messages.push(message)),

    due: async (ref, now, limit) =>
      (await due.rows(access.read, { ref, now, limit })).map(camelCase),

    sweep: sweepExpired(access, 'webhook_messages', { key: KEY, where: ['at_ms', '<'] }),
  }
}

/**
 * By ascending user and endpoint, as deliveries are saved: otherwise the two could wait for each other. On PostgreSQL the endpoints are
 * locked before, so that the deletion of one waits for its messages, or this finds it deleted.
 */
export async function writeMessages(open: TransactionAccess): Promise<void> {
  const { engine, read, write, messages, pendingEvents } = open
  const endpointsOf = new Map<string, readonly { id: string; events: string }[]>()
  for (const tenantId of new Set(messages.map(([id]) => id))) {
    endpointsOf.set(
      tenantId,
      await (engine === 'postgres' ? lockEndpoints : listEndpoints).rows(read, { tenantId }),
    )
  }
  const ofUser = ([, , [user]]: (typeof messages)[number]): number => user?.id ?? 0
  for (const [tenant_id, kind, users, now] of messages.toSorted((a, b) => ofUser(a) - ofUser(b))) {
    const waiting = write.deleteFrom('webhook_messages').where('tenant_id', '=', tenant_id)
    const userIds = users.map(({ id }) => id)
    if (kind === 'user.deleted') {
      await waiting.where('user_id', 'in', userIds).execute()
    }
    const endpoints =
      endpointsOf.get(tenant_id)?.filter(({ events }) => JSON.parse(events).includes(kind)) ?? []
    const due = { at_ms: now, attempt: 0, due_at: now }
    const rows = users.flatMap(({ id: user_id, email = null }) =>
      endpoints.map(({ id }) => ({
        tenant_id,
        kind,
        version: 1,
        ...due,
        webhook_id: id,
        user_id,
        email,
      })),
    )
    if (rows.length === 0) {
      continue
    }
    await write
      .insertInto('webhook_messages')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(KEY)
          .doUpdateSet((eb) => ({ version: eb('webhook_messages.version', '+', 1), ...due })),
      )
      .execute()
    pendingEvents.deliverable.push({ tenantId: tenant_id, kinds: [kind] })
  }
}

const endpoints = (db: Kysely<Tables>, { tenantId }: Slots<{ tenantId: string }>) =>
  db.selectFrom('webhooks').select(['id', 'events']).where('tenant_id', '=', tenantId).orderBy('id')

const listEndpoints = statement(endpoints)
const lockEndpoints = statement((db, tenant: Parameters<typeof endpoints>[1]) =>
  endpoints(db, tenant).forKeyShare(),
)

const waiting = (db: Kysely<Tables>, { tenantId, id }: Slots<WebhookRef>) =>
  db
    .selectFrom('webhook_messages')
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', id)
    .orderBy('due_at')

const due = statement(
  (db, { ref, now, limit }: Slots<{ ref: WebhookRef; now: number; limit: number }>) =>
    waiting(db, ref)
      .select(['kind', 'user_id', 'email', 'version', 'attempt', 'at_ms'])
      .where('due_at', '<=', now)
      .orderBy('user_id')
      .limit(limit),
)

/** The first message that waits. */
export const nextMessage = statement((db, { ref }: Slots<{ ref: WebhookRef }>) =>
  waiting(db, ref).select('due_at').limit(1),
)

/** What became of the messages of a delivery. One that changed meanwhile stays, and is sent again. */
export async function saveMessages(
  { write }: TransactionAccess,
  ref: WebhookRef,
  { messageRetries, settledMessages }: Progress,
): Promise<void> {
  const { tenantId: tenant_id, id: webhook_id } = ref
  const keyOf = ({ userId: user_id, kind, version }: UserMessage) => ({
    tenant_id,
    webhook_id,
    user_id,
    kind,
    version,
  })
  const [update, remove] = [
    write.updateTable('webhook_messages'),
    write.deleteFrom('webhook_messages'),
  ]
  const changes = [
    ...messageRetries.map((message) => {
      const { attempt, dueAt: due_at } = message
      return {
        message,
        change: update.set({ attempt, due_at }).where((eb) => eb.and(keyOf(message))),
      }
    }),
    ...settledMessages.map((message) => ({
      message,
      change: remove.where((eb) => eb.and(keyOf(message))),
    })),
  ]
  changes.sort(
    ({ message: a }, { message: b }) => a.userId - b.userId || (a.kind < b.kind ? -1 : 1),
  )
  for (const { change } of changes) {
    await change.execute()
  }
}
