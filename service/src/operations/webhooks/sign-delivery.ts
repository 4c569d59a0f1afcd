import { signingKey, unsealWebhookSecret } from '../../domain/webhooks/secret.ts'
import { signatureOf } from '../../domain/webhooks/signature.ts'
import type { Delivery } from '../../domain/webhooks/transport.ts'
import type { Webhook } from '../../domain/webhooks/webhook.ts'
import type { Context } from '../context.ts'

/** The keys that sign for this endpoint now, the current one first; null: the secret cannot be read. */
export function signingKeys(ctx: Pick<Context, 'keyring' | 'now'>, webhook: Webhook): Uint8Array[] | null {
  const { sealed, previousSealed, previousUntil } = webhook
  const current = unsealWebhookSecret(ctx.keyring, webhook, sealed)
  if (current === null) return null
  const overlaps = previousSealed !== null && (previousUntil ?? 0) > ctx.now()
  const previous = overlaps ? unsealWebhookSecret(ctx.keyring, webhook, previousSealed) : null
  return [current, previous].filter((secret) => secret !== null).map(signingKey)
}

export function signDelivery(
  ctx: Pick<Context, 'now'>,
  { url }: Webhook,
  keys: readonly Uint8Array[],
  { id, body }: { readonly id: string; readonly body: string },
): Delivery {
  const content = { id, timestamp: Math.floor(ctx.now() / 1_000), body }
  return { url, ...content, signature: signatureOf(content, keys) }
}
