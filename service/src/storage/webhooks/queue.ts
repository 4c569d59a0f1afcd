import type { Kysely } from 'kysely'
import type { AccountId } from '../../domain/ids.ts'
import type { Progress, QueuedWebhook, WebhookQueueStore } from '../../domain/stores/stores.ts'
import type { WebhookRef } from '../../domain/webhooks/webhook.ts'
import type { Access, TransactionAccess } from '../access.ts'
import { snakeCase } from '../columns.ts'
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
      const patterns = kinds.map(patternOf)
      return (
        await wanting.rows(access.read, { tenantIds: padded(tenantIds), kinds: patterns })
      ).map(queuedFrom)
    },

    async listDue(now, perOwner, limit) {
      return (await due.rows(access.read, { now, perOwner, limit })).map(queuedFrom)
    },

    async page(after, limit) {
      const next = active(access.read)
        .where((eb) => eb(eb.refTuple('tenant_id', 'id'), '>', eb.tuple(after.tenantId, after.id)))
        .orderBy('tenant_id')
        .orderBy('id')
        .limit(limit)
      return (await next.execute()).map(queuedFrom)
    },

    async lease(ref, now, until) {
      return take.find(access.write, { ref, now, until }, webhookFrom)
    },

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

    addRetries: (ref, eventIds, dueAt) =>
      upsertRetries(
        access,
        ref,
        eventIds.map((eventId) => ({ eventId, attempt: 0, dueAt })),
      ),
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

interface Due {
  readonly now: number
  readonly perOwner: number
  readonly limit: number
}

/** Guests have no owner, and a partition has all rows without one. */
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

const setLook = statement(
  (db, { ref, kept, look }: Slots<OfWebhook & { kept: number | null; look: number | null }>) =>
    one(db, ref).set({ lease_until: kept, next_look_at: look }),
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

/** The lease is checked by the first statement, which locks the row: a deliverer that lost it saves nothing. */
async function saveProgress(
  open: TransactionAccess,
  ref: WebhookRef,
  lease: number,
  progress: Progress,
): Promise<boolean> {
  const {
    cursor = null,
    replayAfter,
    failingSince,
    failures,
    disabledReason,
    attempts,
    settled,
  } = progress
  const saved = await advance.first(open.write, {
    ref,
    lease,
    cursor,
    failingSince,
    failures,
    count: attempts.length,
  })
  if (saved === undefined) {
    return false
  }
  if (replayAfter !== undefined || disabledReason !== undefined) {
    await open.write
      .updateTable('webhooks')
      .set({
        // Kysely leaves out what is undefined.
        replay_after: replayAfter,
        replay_until: replayAfter === null ? null : undefined,
        status: disabledReason && ('disabled' as const),
        disabled_reason: disabledReason,
      })
      .where((eb) => eb.and({ tenant_id: ref.tenantId, id: ref.id }))
      .execute()
  }
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
  { write }: Pick<Access, 'write'>,
  { tenantId, id: webhookId }: WebhookRef,
  retries: Progress['retries'],
): Promise<void> {
  if (retries.length === 0) {
    return
  }
  await write
    .insertInto('webhook_retries')
    .values(
      retries.map(({ eventId, attempt, dueAt }) =>
        snakeCase({ tenantId, webhookId, eventId, attempt, dueAt }),
      ),
    )
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
  const kept = 'until' in lease ? lease.until : null
  const at = 'until' in lease ? lease.until : lease.nextLookAt
  await setLook.run(open.write, {
    ref,
    kept,
    look: at === 'next-retry' ? await nextRetry(open, ref) : at,
  })
}

/** Of an event or of a message about a user. */
async function nextRetry({ read }: TransactionAccess, ref: WebhookRef): Promise<number | null> {
  const next = [await firstRetry.first(read, { ref }), await nextMessage.first(read, { ref })]
  const times = next.flatMap((row) => (row === undefined ? [] : [row.due_at]))
  return times.length === 0 ? null : Math.min(...times)
}
