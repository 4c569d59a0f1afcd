/** The stores of webhooks: what owners configure, and what deliverers work on. */

import type { UserMessageKind, WebhookKind } from '@gatehouse-auth/contract'
import type { AccountId, TenantId, UserId, WebhookId } from '../ids.ts'
import type { Instant } from '../time.ts'
import type { Attempt, RecordedAttempt, Retry, UserMessage } from '../webhooks/delivery.ts'
import type {
  DisabledReason,
  EventRange,
  Webhook,
  WebhookRef,
  WebhookSettings,
} from '../webhooks/webhook.ts'

export type NewWebhook = WebhookRef &
  WebhookSettings &
  Pick<Webhook, 'sealed' | 'cursor' | 'createdAt'>

export interface WebhookStore {
  /** `limit`: the tenant has that many endpoints. Two concurrent calls can neither take the last place nor one id. */
  add(webhook: NewWebhook, limit: number): Promise<'added' | 'exists' | 'limit'>
  find(ref: WebhookRef): Promise<Webhook | null>
  /** As `find`, locked until the transaction ends. */
  lock(ref: WebhookRef): Promise<Webhook | null>
  /** In the order of their creation. */
  listByTenant(tenantId: TenantId): Promise<Webhook[]>
  /** Ends a lease, so that no deliverer saves what it read before the change. */
  change(ref: WebhookRef, changes: WebhookChanges): Promise<void>
  /** With its retries and its log; false if there is none. */
  remove(ref: WebhookRef): Promise<boolean>
  removeByTenant(tenantId: TenantId): Promise<void>
  /** How many deliveries wait for a retry. */
  countRetries(tenantId: TenantId): Promise<ReadonlyMap<WebhookId, number>>
}

export interface WebhookChanges extends Partial<WebhookSettings> {
  readonly sealed?: Uint8Array
  readonly previousSealed?: Uint8Array
  readonly previousUntil?: Instant
  readonly cursor?: number
  readonly replay?: EventRange
  /** null enables it. */
  readonly disabledReason?: DisabledReason | null
  readonly failingSince?: null
  readonly failures?: 0
  readonly nextLookAt?: Instant
}

/** With the owner of its tenant; null: a guest. */
export type QueuedWebhook = Webhook & { readonly owner: AccountId | null }

/** What deliverers work on. Several processes may: each works on an endpoint under a lease. */
export interface WebhookQueueStore {
  /** The active endpoints of these tenants that want one of these kinds. */
  listWanting(
    tenantIds: readonly TenantId[],
    kinds: readonly WebhookKind[],
  ): Promise<QueuedWebhook[]>
  /** The active endpoints whose time has come, the longest due first, and not more than `perOwner` of one owner or of all guests. */
  listDue(now: Instant, perOwner: number, limit: number): Promise<QueuedWebhook[]>
  /** The active endpoints in the order of their keys, strictly after `after`. */
  page(after: WebhookRef, limit: number): Promise<QueuedWebhook[]>
  /** Takes the endpoint until then, unless it is disabled or another deliverer has it; then null. */
  lease(ref: WebhookRef, now: Instant, until: Instant): Promise<Webhook | null>
  /** Saves what was delivered, in one transaction, if the lease still holds; otherwise false, and nothing is saved. */
  save(ref: WebhookRef, lease: Instant, progress: Progress): Promise<boolean>
  /** When to look at it, unless a deliverer has it until later. */
  setNextLook(ref: WebhookRef, until: Instant): Promise<void>
  /** The longest due first. */
  dueRetries(ref: WebhookRef, now: Instant, limit: number): Promise<Retry[]>
  /** Sends these events again, whether or not they wait already. */
  addRetries(ref: WebhookRef, eventIds: readonly number[], dueAt: Instant): Promise<void>
}

export interface Progress {
  readonly cursor?: number
  /** null: the requested range is finished. */
  readonly replayAfter?: number | null
  readonly failingSince: Instant | null
  readonly failures: number
  readonly disabledReason?: DisabledReason
  readonly attempts: readonly Attempt[]
  /** Failed deliveries, new ones and those that failed again. */
  readonly retries: readonly Retry[]
  /** The events of retries that were delivered or given up. */
  readonly settled: readonly number[]
  /** Messages about users that failed. */
  readonly messageRetries: readonly (UserMessage & Pick<Retry, 'dueAt'>)[]
  /** Messages about users that were delivered or given up, or have nothing to send. */
  readonly settledMessages: readonly UserMessage[]
  /** Keeps the lease until then, or releases it and says when to look next. */
  readonly lease: { readonly until: Instant } | { readonly nextLookAt: Instant | 'next-retry' }
}

/** Messages about users that wait, a row for each endpoint that gets their kind. */
export interface UserMessageStore {
  /**
   * For every endpoint that gets this kind, disabled ones too, at the end of the transaction. One that waits already is the
   * same message again. Nothing else about a deleted user waits.
   */
  record(
    tenantId: TenantId,
    kind: UserMessageKind,
    users: readonly MessageSubject[],
    now: Instant,
  ): Promise<void>
  /** Those whose time has come, the longest due first. */
  due(ref: WebhookRef, now: Instant, limit: number): Promise<UserMessage[]>
  /** Deletes up to `limit` rows before this time and returns how many. */
  sweep(before: Instant, limit: number): Promise<number>
}

export interface MessageSubject {
  readonly id: UserId
  /** Only of a deleted user. */
  readonly email?: string
}

/** The newest attempts of each endpoint. */
export interface DeliveryLogStore {
  append(ref: WebhookRef, attempt: Attempt): Promise<void>
  /** Ascending id, strictly after `after`. */
  page(ref: WebhookRef, after: number, limit: number): Promise<RecordedAttempt[]>
  /** The newest first, strictly after `since`. */
  recent(
    tenantId: TenantId,
    since: Instant,
    limit: number,
  ): Promise<(RecordedAttempt & { readonly webhookId: WebhookId })[]>
  /** Deletes up to `limit` rows before this time and returns how many. */
  sweep(before: Instant, limit: number): Promise<number>
}
