import type { AuthEvent } from '../events/auth-event.ts'
import type { TenantId } from '../ids.ts'
import type { Instant } from '../time.ts'
import type { SendResult } from './delivery.ts'
import type { SignedContent } from './signature.ts'

/** A signed delivery, ready to be sent. */
export interface Delivery extends SignedContent {
  readonly url: string
  readonly signature: string
}

/** How deliveries leave this process. */
export interface WebhookTransport {
  /** Never rejects, except when `stop` is aborted: then the outcome is unknown. */
  send(delivery: Delivery, stop: AbortSignal): Promise<SendResult>
  /** The body of an event, as the API returns the event. */
  eventBody(tenantId: TenantId, event: AuthEvent): string
  testBody(tenantId: TenantId, now: Instant): string
}
