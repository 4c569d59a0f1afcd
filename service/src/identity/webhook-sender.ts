import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { SendResult, WebhookTransport } from '../domain/webhooks/delivery.ts'
import { askPublicHttps, isTlsError, KeptConnections, type Reach } from './public-https.ts'

/** Standard Webhooks recommends 15 to 30 seconds. */
const TIMEOUT_MS = 15_000
/** A body up to this size is read, so that the receiver sees its response arrive, and thrown away. */
const DISCARDED_MAX_BYTES = 16 * 1_024
const DISCARD_MS = 1_000

/** Sends deliveries to URLs that owners chose, over connections that are kept between deliveries. */
export function webhookSender({
  now,
  loopback = false,
  network,
}: Reach & { now: () => number }): WebhookTransport['send'] {
  const reach = { loopback, network: { agent: new KeptConnections(), ...network } }
  return async ({ url: text, id, timestamp, body, signature }, stop) => {
    const timeout = AbortSignal.timeout(TIMEOUT_MS)
    const asked = {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': String(Buffer.byteLength(body)),
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signature,
      },
      body,
      deadline: AbortSignal.any([timeout, stop]),
      read: discard,
    } as const
    const started = performance.now()
    const result = (answer: Omit<SendResult, 'ms'>): SendResult => ({
      ms: Math.round(performance.now() - started),
      ...answer,
    })
    try {
      const { status, headers } = await askPublicHttps(new URL(text), asked, reach)
      return result({ status, error: null, retryAfterMs: retryAfter(headers, now()) })
    } catch (error) {
      if (stop.aborted) {
        throw error
      }
      if (timeout.aborted) {
        return result({ status: null, error: 'timeout', retryAfterMs: null })
      }
      // Prevents probing of private networks: a name of a private address, a name of none and a
      // closed port are one error.
      const reason = isTlsError(error) ? 'tls' : 'unreachable'
      return result({ status: null, error: reason, retryAfterMs: null })
    }
  }
}

/** The status decides; an endless body costs one second. */
function discard(response: IncomingMessage): void {
  let length = 0
  const timer = setTimeout(() => response.destroy(), DISCARD_MS)
  response.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length > DISCARDED_MAX_BYTES) {
      response.destroy()
    }
  })
  response.on('error', () => {})
  response.on('close', () => clearTimeout(timer))
}

/** Seconds, or a date (RFC 9110, section 10.2.3). */
function retryAfter(headers: IncomingHttpHeaders, now: number): number | null {
  const text = headers['retry-after'] ?? ''
  if (/^\d{1,9}$/.test(text)) {
    return Number(text) * 1_000
  }
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}
