/** Row types of webhooks; see tables.ts. */

import type { UserMessageKind, WebhookError } from '@gatehouse-auth/contract'
import type { TenantId, UserId, WebhookId } from '../../domain/ids.ts'
import type { DisabledReason } from '../../domain/webhooks/webhook.ts'

export interface WebhookTables {
  webhooks: {
    tenant_id: TenantId
    id: WebhookId
    url: string
    /** JSON. */
    events: string
    /** Both secrets are encrypted for this endpoint; see domain/tokens/secret.ts. */
    sealed: Uint8Array
    previous_sealed: Uint8Array | null
    previous_until: number | null
    cursor: number
    replay_after: number | null
    replay_until: number | null
    status: 'active' | 'disabled'
    disabled_reason: DisabledReason | null
    failing_since: number | null
    failures: number
    lease_until: number | null
    next_look_at: number | null
    /** The id of the last row of its log. */
    attempts: number
    created_at: number
  }
  webhook_retries: {
    tenant_id: TenantId
    webhook_id: WebhookId
    event_id: number
    /** How many attempts failed. */
    attempt: number
    due_at: number
  }
  webhook_messages: {
    tenant_id: TenantId
    webhook_id: WebhookId
    user_id: UserId
    kind: UserMessageKind
    /** Only of a deleted user. */
    email: string | null
    version: number
    at_ms: number
    /** How many attempts failed. */
    attempt: number
    due_at: number
  }
  webhook_attempts: {
    tenant_id: TenantId
    webhook_id: WebhookId
    /** Counts per endpoint. */
    id: number
    type: string
    /** null: no event of the history. */
    event_id: number | null
    attempt: number
    at_ms: number
    status: number | null
    ms: number
    error: WebhookError | null
  }
}
