import type { AuthEventKind } from '../webhooks/webhook-event.ts'

/** An endpoint of your app that gets events. */
export interface Webhook {
  readonly id: string
  readonly url: string
  readonly events: readonly AuthEventKind[]
  readonly status: 'active' | 'disabled'
  readonly disabled_reason: 'owner' | 'gone' | 'failing' | 'secret_unreadable' | null
  /** The first failure since the last success. */
  readonly failing_since: string | null
  /** The id of the last event that was sent, or recorded for a retry. */
  readonly cursor: number
  readonly waiting_retries: number
  /** The events of a requested range that are still to be sent again. */
  readonly replay: { readonly after: number; readonly until: number } | null
  readonly created_at: string
}

export interface NewWebhook {
  readonly url: string
  /** Default: all but `login_started` and `token_refreshed`. */
  readonly events?: readonly AuthEventKind[] | undefined
}

export interface WebhookChange {
  readonly url?: string | undefined
  readonly events?: readonly AuthEventKind[] | undefined
  readonly status?: 'active' | 'disabled' | undefined
}

/** `secret` is returned only here. Store it. */
export interface CreatedWebhook {
  readonly webhook: Webhook
  readonly secret: string
}

/** Until `previous_until`, deliveries are signed with the old secret, too. */
export interface RotatedSecret {
  readonly secret: string
  readonly previous_until: string
}

export interface WebhookTestResult {
  readonly delivered: boolean
  /** The HTTP status of your endpoint; null without a response. */
  readonly status: number | null
  readonly ms: number
  readonly error: 'timeout' | 'unreachable' | 'tls' | null
}

/** One attempt to deliver an event. */
export interface WebhookDelivery extends WebhookTestResult {
  readonly id: number
  /** null: a test. */
  readonly event_id: number | null
  readonly attempt: number
  readonly at_ms: number
}

/** A range of events, or a list. */
export interface WebhookReplay {
  /** The id of an event; 0: from the start of the history. */
  readonly after?: number | undefined
  readonly until?: number | undefined
  readonly event_ids?: readonly number[] | undefined
}
