import { base62Of } from './base62.ts'

/** Enough base62 digits for 32 bits: 62⁶ > 2³². */
export const CHECKSUM_CHARACTERS = 6

const CRC32_POLYNOMIAL = 0xedb88320

const CRC32_TABLE: Uint32Array = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ CRC32_POLYNOMIAL : crc >>> 1
  return crc
})

/**
 * The end of a tenant key: detects typing mistakes and truncation without a query, and reduces false positives of secret
 * scanners. Not a MAC: anyone can compute it.
 */
export const checksum = (text: string): string => base62Of(crc32(text), CHECKSUM_CHARACTERS)

/** CRC-32 (ISO/IEC 3309, as in zip) of ASCII text. */
export function crc32(text: string): number {
  let crc = 0xffffffff
  for (let index = 0; index < text.length; index++) {
    crc = (crc >>> 8) ^ (CRC32_TABLE[(crc ^ text.charCodeAt(index)) & 0xff] ?? 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}
