import type { Progress } from '../../domain/stores/stores.ts'
import type { WebhookRef } from '../../domain/webhooks/webhook.ts'
import type { TransactionAccess } from '../access.ts'
import { insertAttempts } from './attempts.ts'

/** The lease is checked by the first statement, which locks the row: a deliverer that lost it saves nothing. */
export async function saveProgress(
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
      ...(cursor === undefined ? {} : { cursor }),
      ...(replayAfter === undefined ? {} : { replay_after: replayAfter }),
      ...(replayAfter === null ? { replay_until: null } : {}),
      ...(disabledReason === undefined ? {} : { status: 'disabled' as const, disabled_reason: disabledReason }),
    }))
    .where('tenant_id', '=', ref.tenantId)
    .where('id', '=', ref.id)
    .where('lease_until', '=', lease)
    .returning('attempts')
    .executeTakeFirst()
  if (saved === undefined) return false
  await insertAttempts(open, ref, saved.attempts, attempts)
  await upsertRetries(open, ref, progress.retries)
  if (settled.length > 0) {
    await open.write
      .deleteFrom('webhook_retries')
      .where('tenant_id', '=', ref.tenantId)
      .where('webhook_id', '=', ref.id)
      .where('event_id', 'in', settled)
      .execute()
  }
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
    .where('tenant_id', '=', ref.tenantId)
    .where('id', '=', ref.id)
    .execute()
}

async function nextRetry({ read }: TransactionAccess, ref: WebhookRef): Promise<number | null> {
  const next = await read
    .selectFrom('webhook_retries')
    .select('due_at')
    .where('tenant_id', '=', ref.tenantId)
    .where('webhook_id', '=', ref.id)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return next?.due_at ?? null
}
