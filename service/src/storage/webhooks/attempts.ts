import { WEBHOOK_DELIVERIES_KEPT } from '@gatehouse-auth/contract'
import type { DeliveryLogStore } from '../../domain/stores/stores.ts'
import type { Attempt, RecordedAttempt } from '../../domain/webhooks/delivery.ts'
import type { WebhookRef } from '../../domain/webhooks/webhook.ts'
import type { Access, TransactionAccess } from '../access.ts'
import { camelCase } from '../columns.ts'
import type { Slots } from '../slots.ts'
import { statement } from '../statement.ts'
import { sweepExpired } from '../sweep-expired.ts'

export function deliveryLogStore(access: Access): DeliveryLogStore {
  return {
    async append(ref, attempt) {
      await access.inTransaction(async (open) => {
        const last = await open.write
          .updateTable('webhooks')
          .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
          .where((eb) => eb.and({ tenant_id: ref.tenantId, id: ref.id }))
          .returning('attempts')
          .executeTakeFirst()
        if (last !== undefined) {
          await insertAttempts(open, ref, last.attempts, [attempt])
        }
      })
    },

    async page({ tenantId, id }, after, limit) {
      const rows = await access.read
        .selectFrom('webhook_attempts')
        .select(COLUMNS)
        .where((eb) => eb.and({ tenant_id: tenantId, webhook_id: id }))
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(camelCase)
    },

    async recent(tenantId, since, limit) {
      const rows = await access.read
        .selectFrom('webhook_attempts')
        .select([...COLUMNS, 'webhook_id'])
        .where('tenant_id', '=', tenantId)
        .where('at_ms', '>', since)
        .orderBy('at_ms', 'desc')
        .limit(limit)
        .execute()
      return rows.map(camelCase)
    },

    sweep: sweepExpired(access, 'webhook_attempts', {
      key: ['tenant_id', 'webhook_id', 'id'],
      where: ['at_ms', '<'],
    }),
  }
}

/** Inserts the attempts that end with the id `last`, and deletes all but the newest of the endpoint. */
export async function insertAttempts(
  { write }: TransactionAccess,
  ref: WebhookRef,
  last: number,
  attempts: readonly Attempt[],
): Promise<void> {
  if (attempts.length === 0) {
    return
  }
  const first = last - attempts.length + 1
  await insert.run(write, {
    ref,
    attempts: attempts.map((attempt, index) => ({ ...attempt, id: first + index })),
  })
  await removeOld.run(write, { ref, upTo: last - WEBHOOK_DELIVERIES_KEPT })
}

/** Each number of attempts is another statement; a batch is small. */
const insert = statement(
  (db, { ref, attempts }: Slots<{ ref: WebhookRef; attempts: readonly RecordedAttempt[] }>) =>
    db.insertInto('webhook_attempts').values(
      attempts.map(({ id, type, eventId, attempt, at, status, ms, error }) => ({
        tenant_id: ref.tenantId,
        webhook_id: ref.id,
        id,
        type,
        event_id: eventId,
        attempt,
        at_ms: at,
        status,
        ms,
        error,
      })),
    ),
)

const removeOld = statement((db, { ref, upTo }: Slots<{ ref: WebhookRef; upTo: number }>) =>
  db
    .deleteFrom('webhook_attempts')
    .where('tenant_id', '=', ref.tenantId)
    .where('webhook_id', '=', ref.id)
    .where('id', '<=', upTo),
)

const COLUMNS = ['id', 'type', 'event_id', 'attempt', 'at_ms', 'status', 'ms', 'error'] as const
