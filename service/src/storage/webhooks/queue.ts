import type { Kysely } from 'kysely'
import type { Progress, WebhookQueueStore } from '../../domain/stores/stores.ts'
import type { WebhookRef } from '../../domain/webhooks/webhook.ts'
import type { Access, TransactionAccess } from '../access.ts'
import type { Slots } from '../slots.ts'
import { statement } from '../statement.ts'
import type { Tables } from '../tables/tables.ts'
import { insertAttempts } from './attempts.ts'
import { saveMessages } from './user-messages.ts'
import { ACTIVE, patternOf, webhookFrom } from './webhooks.ts'

export function webhookQueueStore(access: Access): WebhookQueueStore {
  const change = ({ tenantId, id }: WebhookRef) =>
    access.write.updateTable('webhooks').where('tenant_id', '=', tenantId).where('id', '=', id)

  return {
    async listWanting(tenantIds, kinds) {
      if (tenantIds.length === 0 || kinds.length === 0) return []
      const patterns = kinds.map(patternOf)
      return (await wanting.rows(access.read, { tenantIds: padded(tenantIds), kinds: patterns })).map(webhookFrom)
    },

    async listDue(now, limit) {
      return (await due.rows(access.read, { now, limit })).map(webhookFrom)
    },

    async page(after, limit) {
      const next = active(access.read)
        .where((eb) => eb(eb.refTuple('tenant_id', 'id'), '>', eb.tuple(after.tenantId, after.id)))
        .orderBy('tenant_id')
        .orderBy('id')
        .limit(limit)
      return (await next.execute()).map(webhookFrom)
    },

    async lease(ref, now, until) {
      const row = await change(ref)
        .set({ lease_until: until, next_look_at: until })
        .where('status', '=', ACTIVE)
        .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<=', now)]))
        .returningAll()
        .executeTakeFirst()
      return row === undefined ? null : webhookFrom(row)
    },

    save: (ref, lease, progress) => access.inTransaction((open) => saveProgress(open, ref, lease, progress)),

    async postpone(ref, until) {
      await change(ref)
        .set({ next_look_at: until })
        .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<', until)]))
        .execute()
    },

    async dueRetries({ tenantId, id }, now, limit) {
      const rows = await access.read
        .selectFrom('webhook_retries')
        .select(['event_id', 'attempt', 'due_at'])
        .where((eb) => eb.and({ tenant_id: tenantId, webhook_id: id }))
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .limit(limit)
        .execute()
      return rows.map(({ event_id, attempt, due_at }) => ({ eventId: event_id, attempt, dueAt: due_at }))
    },

    async addRetries({ tenantId, id }, eventIds, dueAt) {
      if (eventIds.length === 0) return
      const rows = eventIds.map((eventId) => ({
        tenant_id: tenantId,
        webhook_id: id,
        event_id: eventId,
        attempt: 0,
        due_at: dueAt,
      }))
      await access.write
        .insertInto('webhook_retries')
        .values(rows)
        .onConflict((conflict) =>
          conflict.columns(['tenant_id', 'webhook_id', 'event_id']).doUpdateSet({ attempt: 0, due_at: dueAt }),
        )
        .execute()
    },
  }
}

interface Wanting {
  readonly tenantIds: readonly string[]
  /** For LIKE. */
  readonly kinds: readonly string[]
}

const wanting = statement((db, { tenantIds, kinds }: Slots<Wanting>) =>
  active(db)
    .where('tenant_id', 'in', tenantIds)
    .where((eb) => eb.or(kinds.map((kind) => eb('events', 'like', kind)))),
)

/** Repeats the first one up to the next power of two: each length is another statement (storage/statement.ts). */
function padded(tenantIds: readonly string[]): readonly string[] {
  const [first = ''] = tenantIds
  const length = 2 ** Math.ceil(Math.log2(tenantIds.length))
  return [...tenantIds, ...Array<string>(length - tenantIds.length).fill(first)]
}

const due = statement((db, { now, limit }: Slots<{ now: number; limit: number }>) =>
  active(db).where('next_look_at', '<=', now).orderBy('next_look_at').limit(limit),
)

const active = (db: Kysely<Tables>) => db.selectFrom('webhooks').selectAll().where('status', '=', ACTIVE)

/** The lease is checked by the first statement, which locks the row: a deliverer that lost it saves nothing. */
async function saveProgress(
  open: TransactionAccess,
  ref: WebhookRef,
  lease: number,
  progress: Progress,
): Promise<boolean> {
  const { cursor, replayAfter, failingSince, failures, disabledReason, attempts, settled } = progress
  const saved = await open.write
    .updateTable('webhooks')
    .set((eb) => ({
      failing_since: failingSince,
      failures,
      attempts: eb('attempts', '+', attempts.length),
      // Kysely leaves out what is undefined.
      cursor,
      replay_after: replayAfter,
      replay_until: replayAfter === null ? null : undefined,
      status: disabledReason && ('disabled' as const),
      disabled_reason: disabledReason,
    }))
    .where((eb) => eb.and({ tenant_id: ref.tenantId, id: ref.id, lease_until: lease }))
    .returning('attempts')
    .executeTakeFirst()
  if (saved === undefined) return false
  await insertAttempts(open, ref, saved.attempts, attempts)
  await upsertRetries(open, ref, progress.retries)
  if (settled.length > 0) {
    await open.write
      .deleteFrom('webhook_retries')
      .where((eb) => eb.and({ tenant_id: ref.tenantId, webhook_id: ref.id }))
      .where('event_id', 'in', settled)
      .execute()
  }
  await saveMessages(open, ref, progress)
  await setLease(open, ref, progress.lease)
  return true
}

async function upsertRetries(
  { write }: TransactionAccess,
  ref: WebhookRef,
  retries: Progress['retries'],
): Promise<void> {
  if (retries.length === 0) return
  await write
    .insertInto('webhook_retries')
    .values(
      retries.map(({ eventId, attempt, dueAt }) => ({
        tenant_id: ref.tenantId,
        webhook_id: ref.id,
        event_id: eventId,
        attempt,
        due_at: dueAt,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'webhook_id', 'event_id']).doUpdateSet((eb) => ({
        attempt: eb.ref('excluded.attempt'),
        due_at: eb.ref('excluded.due_at'),
      })),
    )
    .execute()
}

async function setLease(open: TransactionAccess, ref: WebhookRef, lease: Progress['lease']): Promise<void> {
  const kept = 'until' in lease ? lease.until : null
  const look = 'until' in lease ? lease.until : lease.nextLookAt
  await open.write
    .updateTable('webhooks')
    .set({ lease_until: kept, next_look_at: look === 'next-retry' ? await nextRetry(open, ref) : look })
    .where((eb) => eb.and({ tenant_id: ref.tenantId, id: ref.id }))
    .execute()
}

/** Of an event or of a message about a user. */
async function nextRetry({ read }: TransactionAccess, ref: WebhookRef): Promise<number | null> {
  const [events, messages] = (['webhook_retries', 'webhook_messages'] as const).map((table) =>
    read
      .selectFrom(table)
      .select('due_at')
      .where((eb) => eb.and({ tenant_id: ref.tenantId, webhook_id: ref.id }))
      .orderBy('due_at')
      .limit(1),
  )
  const next = [await events?.executeTakeFirst(), await messages?.executeTakeFirst()]
  const times = next.flatMap((row) => (row === undefined ? [] : [row.due_at]))
  return times.length === 0 ? null : Math.min(...times)
}
