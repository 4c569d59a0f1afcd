import {
  AUTH_EVENT_KINDS,
  type AuthEventKind,
  SECRET_PREFIXES,
  WEBHOOK_DELIVERIES_KEPT_DAYS,
  type WEBHOOK_DISABLED_REASONS,
  WEBHOOK_MESSAGES_KEPT_DAYS,
  WEBHOOK_SECRET_OVERLAP_HOURS,
  type WebhookKind,
} from '@gatehouse-auth/contract'
import type { TenantId, WebhookId } from '../ids.ts'
import { readPublicUrl } from '../network/public-url.ts'
import type { Duration, Instant } from '../time.ts'
import type { Keyring } from '../tokens/keyring.ts'
import { type RandomBytes, randomBase62 } from '../tokens/random-text.ts'
import { seal, unseal } from '../tokens/secret.ts'

export const SECRET_OVERLAP_MS: Duration = WEBHOOK_SECRET_OVERLAP_HOURS * 3_600_000
export const DELIVERIES_KEPT_MS: Duration = WEBHOOK_DELIVERIES_KEPT_DAYS * 24 * 3_600_000

export const MESSAGES_KEPT_MS: Duration = WEBHOOK_MESSAGES_KEPT_DAYS * 24 * 3_600_000

export type DisabledReason = (typeof WEBHOOK_DISABLED_REASONS)[number]

/** Identifies an endpoint; both parts, because every query names the tenant. */
export interface WebhookRef {
  readonly tenantId: TenantId
  readonly id: WebhookId
}

/** What an owner configures. */
export interface WebhookSettings {
  readonly url: string
  readonly events: readonly WebhookKind[]
}

/**
 * An endpoint of an app that gets the events of its tenant. The history is the outbox: an endpoint is a cursor into it.
 * Messages about users have rows of their own.
 */
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

/** The kinds of an endpoint that the history has. */
export const historyKinds = ({ events }: Pick<Webhook, 'events'>): readonly AuthEventKind[] =>
  AUTH_EVENT_KINDS.filter((kind) => events.includes(kind))

export interface EventRange {
  readonly after: number
  readonly until: number
}

const ID_CHARACTERS = 16

export const newWebhookId = (random: RandomBytes): WebhookId =>
  `wh_${randomBase62(ID_CHARACTERS, random)}`

/** The id of an endpoint that was created with an idempotency key: the same key means the same endpoint. */
export const webhookIdFrom = (hash: string): WebhookId =>
  `wh_${hash.replace(/[-_]/g, '0').slice(0, ID_CHARACTERS)}`

/** Anything else is no id, and reaches no query. */
export const isWebhookId = (text: string): boolean => /^wh_[0-9A-Za-z]{16}$/.test(text)

const CREATION_REPEATED_MS: Duration = 24 * 3_600_000

/** Whether a repeated creation gets the same response: for a day, with the same input, while the secret is the first one. */
export const isSameCreation = (
  webhook: Webhook,
  { url, events }: WebhookSettings,
  now: Instant,
): boolean =>
  now - webhook.createdAt < CREATION_REPEATED_MS &&
  webhook.previousSealed === null &&
  webhook.url === url &&
  webhook.events.join() === events.join()

type ReadWebhookUrl =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly problem: string }

/** Checks the URL of a webhook: any but one of this service. */
export function readWebhookUrl(text: string, baseUrl: string): ReadWebhookUrl {
  if (URL.parse(text)?.host === new URL(baseUrl).host) {
    return { ok: false, problem: 'This is a URL of this service.' }
  }
  const read = readPublicUrl(text, baseUrl)
  return read.ok ? { ok: true, url: read.url.href } : read
}

/** 44 characters of base64 are 33 bytes; Standard Webhooks asks for 24 to 64. */
const CHARACTERS = 44

/**
 * `whsec_` and base64, of its letters and digits only: 262 random bits, one word for every shell, and matched whole by the
 * filters of the log.
 */
export const mintWebhookSecret = (random: RandomBytes): string =>
  SECRET_PREFIXES.webhookSecret + randomBase62(CHARACTERS, random)

/** The bytes with which deliveries are signed. */
export const signingKey = (secret: string): Buffer =>
  Buffer.from(secret.slice(SECRET_PREFIXES.webhookSecret.length), 'base64')

/** Sealed, because a hash cannot sign. */
export const sealWebhookSecret = (
  keyring: Keyring,
  ref: WebhookRef,
  secret: string,
  random: RandomBytes,
): Uint8Array => seal(keyring, contextOf(ref), secret, random)

export const unsealWebhookSecret = (
  keyring: Keyring,
  ref: WebhookRef,
  sealed: Uint8Array,
): string | null => unseal(keyring, contextOf(ref), sealed)

const contextOf = ({ tenantId, id }: WebhookRef): string => `webhook|${tenantId}|${id}`
