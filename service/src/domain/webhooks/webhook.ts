import type { AuthEventKind, WEBHOOK_DISABLED_REASONS } from '@gatehouse/contract'
import { WEBHOOK_DELIVERIES_KEPT_DAYS, WEBHOOK_SECRET_OVERLAP_HOURS } from '@gatehouse/contract'
import type { TenantId, WebhookId } from '../ids.ts'
import type { Duration, Instant } from '../time.ts'
import { randomBase62 } from '../tokens/base62.ts'
import type { RandomBytes } from '../tokens/uniform.ts'

export const SECRET_OVERLAP_MS: Duration = WEBHOOK_SECRET_OVERLAP_HOURS * 3_600_000
export const DELIVERIES_KEPT_MS: Duration = WEBHOOK_DELIVERIES_KEPT_DAYS * 24 * 3_600_000

export type DisabledReason = (typeof WEBHOOK_DISABLED_REASONS)[number]

/** Identifies an endpoint; both parts, because every query names the tenant. */
export interface WebhookRef {
  readonly tenantId: TenantId
  readonly id: WebhookId
}

/** What an owner configures. */
export interface WebhookSettings {
  readonly url: string
  readonly events: readonly AuthEventKind[]
}

/** An endpoint of an app that gets the events of its tenant. The history is the outbox: an endpoint is a cursor into it. */
export interface Webhook extends WebhookRef, WebhookSettings {
  readonly sealed: Uint8Array
  /** The secret before the last rotation, which signs, too, until `previousUntil`. */
  readonly previousSealed: Uint8Array | null
  readonly previousUntil: Instant | null
  /** Every event up to this id was sent, or has a row among the retries. */
  readonly cursor: number
  /** A requested range, still to be sent again: after the first id, up to the second. */
  readonly replay: EventRange | null
  /** null: active. */
  readonly disabledReason: DisabledReason | null
  /** The first failure since the last success. */
  readonly failingSince: Instant | null
  /** How many times in a row everything that was sent at once failed. */
  readonly failures: number
  /** A deliverer works on it until then. Identifies the lease, because a later one ends later. */
  readonly leaseUntil: Instant | null
  /** When a deliverer must look at it, even without a new event; null: never. */
  readonly nextLookAt: Instant | null
  readonly createdAt: Instant
}

export interface EventRange {
  readonly after: number
  readonly until: number
}

const ID_CHARACTERS = 16

export const newWebhookId = (random: RandomBytes): WebhookId => `wh_${randomBase62(ID_CHARACTERS, random)}`

/** Anything else is no id, and reaches no query. */
export const isWebhookId = (text: string): boolean => /^wh_[0-9A-Za-z]{16}$/.test(text)
