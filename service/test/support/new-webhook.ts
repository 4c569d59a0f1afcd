import type { Webhook, WebhookRef } from '../../src/domain/webhooks/webhook.ts'

/** An endpoint that has just been added, and wants sign-ins. */
export const newWebhook = (ref: WebhookRef, changes: Partial<Webhook> = {}): Webhook => ({
  ...ref,
  url: 'https://app.example/hook',
  events: ['authorize'],
  sealed: new Uint8Array(),
  previousSealed: null,
  previousUntil: null,
  cursor: 0,
  replay: null,
  disabledReason: null,
  failingSince: null,
  failures: 0,
  leaseUntil: null,
  nextLookAt: null,
  createdAt: 0,
  ...changes,
})
