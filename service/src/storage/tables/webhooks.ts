/** Row types of webhooks; see tables.ts. */

import type { UserMessageKind, WebhookError } from '@gatehouse-auth/contract'
import type { TenantId, UserId, WebhookId } from '../../domain/ids.ts'
import type { DisabledReason } from '../../domain/webhooks/webhook.ts'

export interface WebhookTables {
  webhooks: {
    tenant_id: TenantId
    /** `wh_` and 16 random characters; gives no access. Random. */
    id: WebhookId
    /** Where deliveries are sent. */
    url: string
    /** The kinds of events that it gets, as JSON. */
    events: string
    /** The secret that signs deliveries (`whsec_…`). Sealed. */
    sealed: Uint8Array
    /** The secret before the last rotation. Sealed. */
    previous_sealed: Uint8Array | null
    /** Until when that one signs, too: 24 hours after the rotation. */
    previous_until: number | null
    /** Every event up to this id was sent, or waits in `webhook_retries`. */
    cursor: number
    /**
     * With `replay_until`: a range of events that is sent again on request; moves on as they are
     * sent. Null: none.
     */
    replay_after: number | null
    /** The last event of that range. */
    replay_until: number | null
    /** `active` or `disabled`. */
    status: 'active' | 'disabled'
    /** `owner`, `gone`, `failing` or `secret_unreadable`; null while active. */
    disabled_reason: DisabledReason | null
    /** The first failure since the last success. */
    failing_since: number | null
    /** How often in a row everything that was sent failed; determines the back-off. */
    failures: number
    /** Until when one process works on it. Another one continues after that. */
    lease_until: number | null
    /**
     * When a process must look at it, even without a new event: the next retry, or the end of a
     * lease.
     */
    next_look_at: number | null
    /** The id of the last row in `webhook_attempts`. */
    attempts: number
    /** When it was added. */
    created_at: number
  }
  webhook_retries: {
    tenant_id: TenantId
    /** The endpoint. */
    webhook_id: WebhookId
    /** The event. */
    event_id: number
    /** How many attempts failed; 0: the owner asked to send it again. */
    attempt: number
    /** When it is sent again. */
    due_at: number
  }
  webhook_messages: {
    tenant_id: TenantId
    /** The endpoint. */
    webhook_id: WebhookId
    user_id: UserId
    /** `user.created`, `user.updated`, `user.deleted` or `user.removal_requested`. */
    kind: UserMessageKind
    /** The address of a deleted user; null in every other row. */
    email: string | null
    /**
     * Counts the changes that wait as one message; a delivery deletes only the version that it
     * sent.
     */
    version: number
    /** When the last of them happened. */
    at_ms: number
    /** How many attempts failed. */
    attempt: number
    /** When it is sent. */
    due_at: number
  }
  webhook_attempts: {
    tenant_id: TenantId
    /** The endpoint. */
    webhook_id: WebhookId
    /** Counts per endpoint. */
    id: number
    /**
     * The type of the message, such as `social_login.authorize`, `user.created` or `webhook.test`.
     */
    type: string
    /** The event of the history; null for a test and for a message about a user. */
    event_id: number | null
    /** 1 for the first attempt of the event. */
    attempt: number
    /** When. */
    at_ms: number
    /** The HTTP status; null without a response. */
    status: number | null
    /** The duration. */
    ms: number
    /** `timeout`, `unreachable` or `tls`; null with a response. */
    error: WebhookError | null
  }
}
