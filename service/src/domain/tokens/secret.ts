import { timingSafeEqual } from 'node:crypto'

/** 256 random bits, behind a prefix that says what it is. */
export const mintSecret = (prefix: string, random: (bytes: number) => Uint8Array): string =>
  prefix + Buffer.from(random(32)).toString('base64url')

/** Compares two short texts without telling by its timing where they differ. Their lengths are not secret. */
export function constantTimeEqual(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
