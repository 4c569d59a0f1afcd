import { createHmac } from 'node:crypto'

export interface SignedContent {
  readonly id: string
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly body: string
}

/** `webhook-signature` of Standard Webhooks 1.0: one HMAC per secret, over exactly the bytes that are sent. */
export const signatureOf = ({ id, timestamp, body }: SignedContent, keys: readonly Uint8Array[]): string =>
  keys.map((key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`).join(' ')
