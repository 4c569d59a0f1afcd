import { timingSafeEqual } from 'node:crypto'
import type { SecretPrefix } from '@gatehouse/contract'

/** A prefix and 256 random bits in base64url. Without a prefix: for cookies and URLs. */
export const mintSecret = (prefix: SecretPrefix | '', random: (bytes: number) => Uint8Array): string =>
  prefix + Buffer.from(random(32)).toString('base64url')

/** Compares in constant time, except for the lengths, which are not secret. */
export function constantTimeEqual(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
