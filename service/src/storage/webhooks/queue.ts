import type { Kysely } from 'kysely'
import type { AccountId } from '../../domain/ids.ts'
import type { Progress, QueuedWebhook, WebhookQueueStore } from '../../domain/stores/stores.ts'
import type { WebhookRef } from '../../domain/webhooks/webhook.ts'
import type { Access, TransactionAccess } from '../access.ts'
import type { Slots } from '../slots.ts'
import { statement } from '../statement.ts'
import type { Tables } from '../tables/tables.ts'
import { insertAttempts } from './attempts.ts'
import { nextMessage, saveMessages } from './user-messages.ts'
import {
  ACTIVE,
  patternOf,
  selectWebhooks,
  WEBHOOK_COLUMNS,
  type WebhookRow,
  webhookFrom,
} from './webhooks.ts'

export function webhookQueueStore(access: Access): WebhookQueueStore {
  return {
    async listWanting(tenantIds, kinds) {
      if (tenantIds.length === 0 || kinds.length === 0) {
        return []
      }
      const rows = await wanting.rows(access.read, {
        tenantIds: padded(tenantIds),
        patterns: kinds.map(patternOf),
      })
      return rows.map(queuedFrom)
    },

    async listDue(now, perOwner, limit) {
      const rows = await due.rows(access.read, { now, perOwner, limit })
      return rows.map(queuedFrom)
    },

    async page(after, limit) {
      const rows = await active(access.read)
        .where((eb) => eb(eb.refTuple('tenant_id', 'id'), '>', eb.tuple(after.tenantId, after.id)))
        .orderBy('tenant_id')
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(queuedFrom)
    },

    lease: (ref, now, until) => take.find(access.write, { ref, now, until }, webhookFrom),

    save: (ref, lease, progress) =>
      access.inTransaction((open) => saveProgress(open, ref, lease, progress)),

    async setNextLook(ref, until) {
      await access.write
        .updateTable('webhooks')
        .set({ next_look_at: until })
        .where((eb) => eb.and({ tenant_id: ref.tenantId, id: ref.id }))
        .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<', until)]))
        .execute()
    },

    async dueRetries(ref, now, limit) {
      const rows = await dueRetries.rows(access.read, { ref, now, limit })
      return rows.map(({ event_id, attempt, due_at }) => ({
        eventId: event_id,
        attempt,
        dueAt: due_at,
      }))
    },

    async addRetries(ref, eventIds, dueAt) {
      const retries = eventIds.map((eventId) => ({ eventId, attempt: 0, dueAt }))
      await upsertRetries(access, ref, retries)
    },
  }
}

interface Wanting {
  readonly tenantIds: readonly string[]
  /** The kinds, each as a pattern for LIKE. */
  readonly patterns: readonly string[]
}

const wanting = statement((db, { tenantIds, patterns }: Slots<Wanting>) =>
  active(db)
    .where('tenant_id', 'in', tenantIds)
    .where((eb) => eb.or(patterns.map((pattern) => eb('events', 'like', pattern)))),
)

/** Repeats the first id up to the next power of two: each length is another statement (storage/statement.ts). */
function padded(tenantIds: readonly string[]): readonly string[] {
  const [first = ''] = tenantIds
  const length = 2 ** Math.ceil(Math.log2(tenantIds.length))
  return [...tenantIds, ...Array<string>(length - tenantIds.length).fill(first)]
}

interface Due {
  readonly now: number
  readonly perOwner: number
  readonly limit: number
}

/** All guests are one partition, because they have no owner. */
const due = statement((db, { now, perOwner, limit }: Slots<Due>) =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom(active(db).where('next_look_at', '<=', now).as('due'))
        .select([...WEBHOOK_COLUMNS, 'owner'])
        .select(({ fn }) =>
          fn
            .agg<number>('row_number')
            .over((over) => over.partitionBy('due.owner').orderBy('due.next_look_at'))
            .as('place'),
        )
        .as('ranked'),
    )
    .select([...WEBHOOK_COLUMNS, 'owner'])
    .where('place', '<=', perOwner)
    .orderBy('next_look_at')
    .limit(limit),
)

interface OfWebhook {
  readonly ref: WebhookRef
}

const one = (db: Kysely<Tables>, { tenantId, id }: Slots<WebhookRef>) =>
  db.updateTable('webhooks').where('tenant_id', '=', tenantId).where('id', '=', id)

const take = statement(
  (db, { ref, now, until }: Slots<OfWebhook & { now: number; until: number }>) =>
    one(db, ref)
      .set({ lease_until: until, next_look_at: until })
      .where('status', '=', ACTIVE)
      .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<=', now)]))
      .returning(WEBHOOK_COLUMNS),
)

const dueRetries = statement(
  (db, { ref, now, limit }: Slots<OfWebhook & { now: number; limit: number }>) =>
    retriesOf(db, ref)
      .select(['event_id', 'attempt', 'due_at'])
      .where('due_at', '<=', now)
      .limit(limit),
)

const retriesOf = (db: Kysely<Tables>, { tenantId, id }: Slots<WebhookRef>) =>
  db
    .selectFrom('webhook_retries')
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', id)
    .orderBy('due_at')

const firstRetry = statement((db, { ref }: Slots<OfWebhook>) =>
  retriesOf(db, ref).select('due_at').limit(1),
)

interface Look extends OfWebhook {
  readonly leaseUntil: number | null
  readonly nextLookAt: number | null
}

const setLook = statement((db, { ref, leaseUntil, nextLookAt }: Slots<Look>) =>
  one(db, ref).set({ lease_until: leaseUntil, next_look_at: nextLookAt }),
)

interface Advanced extends OfWebhook, Pick<Progress, 'failingSince' | 'failures'> {
  readonly lease: number
  /** null: stays. */
  readonly cursor: number | null
  readonly count: number
}

const advance = statement(
  (db, { ref, lease, cursor, failingSince, failures, count }: Slots<Advanced>) =>
    one(db, ref)
      .set((eb) => ({
        cursor: eb.fn.coalesce(cursor, 'cursor'),
        failing_since: failingSince,
        failures,
        attempts: eb('attempts', '+', count),
      }))
      .where('lease_until', '=', lease)
      .returning('attempts'),
)

const active = (db: Kysely<Tables>) =>
  selectWebhooks(db)
    .select(({ selectFrom }) =>
      selectFrom('tenants')
        .select('owner_account_id')
        .whereRef('tenants.id', '=', 'webhooks.tenant_id')
        .as('owner'),
    )
    .where('status', '=', ACTIVE)

const queuedFrom = (row: WebhookRow & { readonly owner: AccountId | null }): QueuedWebhook => ({
  ...webhookFrom(row),
  owner: row.owner,
})

/** The first statement checks the lease and locks the row: a deliverer that lost its lease saves nothing. */
async function saveProgress(
  open: TransactionAccess,
  ref: WebhookRef,
  lease: number,
  progress: Progress,
): Promise<boolean> {
  const saved = await advance.first(open.write, {
    ref,
    lease,
    cursor: progress.cursor ?? null,
    failingSince: progress.failingSince,
    failures: progress.failures,
    count: progress.attempts.length,
  })
  if (saved === undefined) {
    return false
  }

  await saveReplay(open, ref, progress.replayAfter)
  await saveDisabled(open, ref, progress.disabledReason)
  await insertAttempts(open, ref, saved.attempts, progress.attempts)
  await upsertRetries(open, ref, progress.retries)
  await removeRetries(open, ref, progress.settled)
  await saveMessages(open, ref, progress)
  await setLease(open, ref, progress.lease)
  return true
}

async function saveReplay(
  { write }: TransactionAccess,
  ref: WebhookRef,
  after: Progress['replayAfter'],
): Promise<void> {
  if (after === undefined) {
    return
  }
  const isFinished = after === null
  await write
    .updateTable('webhooks')
    .set(isFinished ? { replay_after: null, replay_until: null } : { replay_after: after })
    .where((eb) => eb.and({ tenant_id: ref.tenantId, id: ref.id }))
    .execute()
}

async function saveDisabled(
  { write }: TransactionAccess,
  ref: WebhookRef,
  reason: Progress['disabledReason'],
): Promise<void> {
  if (reason === undefined) {
    return
  }
  await write
    .updateTable('webhooks')
    .set({ status: 'disabled', disabled_reason: reason })
    .where((eb) => eb.and({ tenant_id: ref.tenantId, id: ref.id }))
    .execute()
}

async function removeRetries(
  { write }: TransactionAccess,
  ref: WebhookRef,
  eventIds: readonly number[],
): Promise<void> {
  if (eventIds.length === 0) {
    return
  }
  await write
    .deleteFrom('webhook_retries')
    .where((eb) => eb.and({ tenant_id: ref.tenantId, webhook_id: ref.id }))
    .where('event_id', 'in', eventIds)
    .execute()
}

async function upsertRetries(
  { write }: Pick<Access, 'write'>,
  ref: WebhookRef,
  retries: Progress['retries'],
): Promise<void> {
  if (retries.length === 0) {
    return
  }
  const rows = retries.map(({ eventId, attempt, dueAt }) => ({
    tenant_id: ref.tenantId,
    webhook_id: ref.id,
    event_id: eventId,
    attempt,
    due_at: dueAt,
  }))
  await write
    .insertInto('webhook_retries')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'webhook_id', 'event_id']).doUpdateSet((eb) => ({
        attempt: eb.ref('excluded.attempt'),
        due_at: eb.ref('excluded.due_at'),
      })),
    )
    .execute()
}

async function setLease(
  open: TransactionAccess,
  ref: WebhookRef,
  lease: Progress['lease'],
): Promise<void> {
  if ('until' in lease) {
    await setLook.run(open.write, { ref, leaseUntil: lease.until, nextLookAt: lease.until })
    return
  }

  const nextLookAt =
    lease.nextLookAt === 'next-retry' ? await nextRetryAt(open, ref) : lease.nextLookAt
  await setLook.run(open.write, { ref, leaseUntil: null, nextLookAt })
}

/** When the first event or message about a user is due again; null: nothing waits. */
async function nextRetryAt({ read }: TransactionAccess, ref: WebhookRef): Promise<number | null> {
  const event = await firstRetry.first(read, { ref })
  const message = await nextMessage.first(read, { ref })
  if (event === undefined || message === undefined) {
    return event?.due_at ?? message?.due_at ?? null
  }
  return Math.min(event.due_at, message.due_at)
}
