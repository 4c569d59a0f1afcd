import type { AuthEventKind } from '@gatehouse/contract'
import { type Selectable, sql } from 'kysely'
import type { Webhook } from '../../domain/webhooks/webhook.ts'
import type { Tables } from '../tables/tables.ts'

// A literal, not a parameter: the planner uses a partial index only if the statement's text implies its condition.
export const ACTIVE = sql.lit('active' as const)

export type WebhookRow = Selectable<Tables['webhooks']>

export const webhookFrom = (row: WebhookRow): Webhook => ({
  tenantId: row.tenant_id,
  id: row.id,
  url: row.url,
  events: JSON.parse(row.events) as AuthEventKind[],
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
