import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { WebhookTransport } from '../domain/webhooks/delivery.ts'
import { askPublicHttps, isTlsError, KeptConnections, type Reach } from './public-https.ts'

/** Standard Webhooks recommends 15 to 30 seconds. */
const TIMEOUT_MS = 15_000
/** A body up to this size is read and thrown away, so that the receiver sees its response arrive. */
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
    const elapsedMs = (): number => Math.round(performance.now() - started)
    try {
      const { status, headers } = await askPublicHttps(new URL(text), asked, reach)
      const retryAfterMs = retryAfter(headers, now())
      return { status, ms: elapsedMs(), error: null, retryAfterMs }
    } catch (error) {
      if (stop.aborted) {
        throw error
      }
      const reason = timeout.aborted ? 'timeout' : reasonOf(error)
      return { status: null, ms: elapsedMs(), error: reason, retryAfterMs: null }
    }
  }
}

/**
 * Prevents probing of private networks: a name of a private address, a name without an address and a closed port are one
 * error.
 */
const reasonOf = (error: unknown): 'tls' | 'unreachable' =>
  isTlsError(error) ? 'tls' : 'unreachable'

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
