import { type Delivery, signatureOf } from '../../domain/webhooks/delivery.ts'
import { signingKey, unsealWebhookSecret, type Webhook } from '../../domain/webhooks/webhook.ts'
import type { Context } from '../context.ts'

/** The keys that sign for this endpoint now, the current one first; null: the secret cannot be read. */
export function signingKeys(
  ctx: Pick<Context, 'keyring' | 'now'>,
  webhook: Webhook,
): Uint8Array[] | null {
  const current = unsealWebhookSecret(ctx.keyring, webhook, webhook.sealed)
  if (current === null) {
    return null
  }

  const previous = previousSecret(ctx, webhook)
  if (previous === null) {
    return [signingKey(current)]
  }
  return [signingKey(current), signingKey(previous)]
}

/** The secret before a rotation, while it still signs. */
function previousSecret(
  { keyring, now }: Pick<Context, 'keyring' | 'now'>,
  webhook: Webhook,
): string | null {
  const { previousSealed, previousUntil } = webhook
  if (previousSealed === null || (previousUntil ?? 0) <= now()) {
    return null
  }
  return unsealWebhookSecret(keyring, webhook, previousSealed)
}

interface Message {
  readonly id: string
  readonly body: string
}

export function signDelivery(
  ctx: Pick<Context, 'now'>,
  { url }: Webhook,
  keys: readonly Uint8Array[],
  { id, body }: Message,
): Delivery {
  const timestamp = Math.floor(ctx.now() / 1_000)
  const signature = signatureOf({ id, timestamp, body }, keys)
  return { url, id, timestamp, body, signature }
}
