import { hkdfSync } from 'node:crypto'
import type { RandomBytes } from './uniform.ts'

/** Bytes that only the secret determines, in the place of random ones: the same secret gives the same bytes again. */
export function derivedBytes(secret: string, purpose: string): RandomBytes {
  let calls = 0
  return (count) => new Uint8Array(hkdfSync('sha256', secret, '', `gatehouse|${purpose}|${calls++}`, count))
}
