import { createHmac } from 'node:crypto'
import type { ProviderName, UserMessageKind, WebhookError } from '@gatehouse-auth/contract'
import type { AuthEvent } from '../events/auth-event.ts'
import type { TenantId, UserId } from '../ids.ts'
import type { Duration, Instant } from '../time.ts'
import type { UserRecord } from '../users/user.ts'

/** The response to one delivery, or why there is none. Its body is not read: it would end up in the log. */
export interface SendResult {
  readonly status: number | null
  readonly ms: number
  readonly error: WebhookError | null
  /** From `Retry-After`. */
  readonly retryAfterMs: Duration | null
}

/** One row of the delivery log. */
export interface Attempt extends Omit<SendResult, 'retryAfterMs'> {
  /** The `type` of the message. */
  readonly type: string
  /** null: no event of the history. */
  readonly eventId: number | null
  /** 1 for the first of this message. */
  readonly attempt: number
  readonly at: Instant
}

export interface RecordedAttempt extends Attempt {
  readonly id: number
}

/**
 * A change of a user that waits to be sent to an endpoint. It names the user, whose data is read when it is sent; only the
 * address of a deleted user is stored.
 */
export interface UserMessage {
  readonly kind: UserMessageKind
  readonly userId: UserId
  /** The address of a deleted user; null: the user exists. */
  readonly email: string | null
  /** Counts the changes that wait as one message: a change during a delivery is sent, too. */
  readonly version: number
  /** How many attempts failed. */
  readonly attempt: number
  /** When the last change was made. */
  readonly at: Instant
}

/** A delivery that failed `attempt` times and is sent again. */
export interface Retry {
  readonly eventId: number
  readonly attempt: number
  readonly dueAt: Instant
}

/** A redirect is a failure (Standard Webhooks): following it could lead anywhere. */
export const isDelivered = ({ status }: Pick<SendResult, 'status'>): boolean =>
  status !== null && status >= 200 && status < 300

const SECOND: Duration = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** After each failure; the attempt after the last one is the tenth. */
const DELAYS: readonly Duration[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]
const JITTER = 0.2
const RETRY_AFTER_MAX = 24 * HOUR

/** When a delivery that failed for the `attempt`th time is sent again; null: never. `random` is from 0 to 1. */
export function retryAt(
  attempt: number,
  now: Instant,
  retryAfterMs: Duration | null,
  random: number,
): Instant | null {
  const delay = DELAYS[attempt - 1]
  if (delay === undefined) {
    return null
  }
  const jittered = Math.round(delay * (1 - JITTER + 2 * JITTER * random))
  return now + Math.max(jittered, Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX))
}

const BACK_OFF_MAX = MINUTE

/**
 * How long an endpoint that fails gets nothing. It then gets one delivery at a time, so that an endpoint that is down costs
 * one connection a minute, however many events wait.
 */
export function backOff(failures: number, retryAfterMs: Duration | null): Duration {
  const doublings = Math.min(failures - 1, 8)
  const growing = Math.min(5 * SECOND * 2 ** doublings, BACK_OFF_MAX)
  const requested = Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX)
  return Math.max(growing, requested)
}

/** An endpoint without one success for this long is disabled. */
export const FAILING_MAX: Duration = 5 * 24 * HOUR

/** 410 Gone: the receiver asks for no more deliveries (Standard Webhooks). */
export const GONE = 410

interface SignedContent {
  readonly id: string
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly body: string
}

/** `webhook-signature` of Standard Webhooks 1.0: one HMAC per secret, over exactly the bytes that are sent. */
export function signatureOf(
  { id, timestamp, body }: SignedContent,
  keys: readonly Uint8Array[],
): string {
  const content = `${id}.${timestamp}.${body}`
  const signatures = keys.map((key) => {
    const mac = createHmac('sha256', key).update(content).digest('base64')
    return `v1,${mac}`
  })
  return signatures.join(' ')
}

/** A signed delivery, ready to be sent. */
export interface Delivery extends SignedContent {
  readonly url: string
  readonly signature: string
}

/** A user as messages show them. */
export interface MessageUser {
  readonly record: UserRecord
  providerOf(issuer: string): ProviderName | null
  /** When the sweep deletes the user, who asked for it; null: did not. */
  readonly removalDueAt: Instant | null
}

/** How deliveries leave this process. */
export interface WebhookTransport {
  /** Never rejects, except when `stop` is aborted: then the outcome is unknown. */
  send(delivery: Delivery, stop: AbortSignal): Promise<SendResult>
  /** The body of an event, as the API returns the event. */
  eventBody(tenantId: TenantId, event: AuthEvent): string
  /** `user`: as the API returns it, with every field; null: deleted. */
  userBody(tenantId: TenantId, message: UserMessage, user: MessageUser | null): string
  testBody(tenantId: TenantId, now: Instant): string
}
