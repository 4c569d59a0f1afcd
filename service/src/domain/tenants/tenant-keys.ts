import { SECRET_PREFIXES } from '@gatehouse-auth/contract'
import { base62Of, type RandomBytes, randomBase62 } from '../tokens/random-text.ts'

export const TENANT_KEY_KINDS = ['management', 'application'] as const

export type TenantKeyKind = (typeof TENANT_KEY_KINDS)[number]

const PREFIXES: Readonly<Record<TenantKeyKind, string>> = {
  management: SECRET_PREFIXES.managementKey,
  application: SECRET_PREFIXES.applicationKey,
}

/** 36 × 5.95 = 214 bits. */
const BODY_CHARACTERS = 36

export function mintTenantKey(kind: TenantKeyKind, random: RandomBytes): string {
  const key = `${PREFIXES[kind]}${randomBase62(BODY_CHARACTERS, random)}`
  return `${key}${checksum(key)}`
}

/** Enough base62 digits for 32 bits: 62⁶ > 2³². */
const CHECKSUM_CHARACTERS = 6

const SHAPE = new RegExp(
  `^(?:${Object.values(PREFIXES).join('|')})[0-9A-Za-z]{${BODY_CHARACTERS + CHECKSUM_CHARACTERS}}$`,
)

/**
 * The kind of a key; null if the format or the checksum is wrong. Checked before any query. A well-formed key may still be
 * unknown.
 */
export function readTenantKey(
  raw: string,
): { readonly kind: TenantKeyKind; readonly key: string } | null {
  if (!SHAPE.test(raw)) {
    return null
  }
  if (checksum(raw.slice(0, -CHECKSUM_CHARACTERS)) !== raw.slice(-CHECKSUM_CHARACTERS)) {
    return null
  }
  return { kind: raw.startsWith(PREFIXES.management) ? 'management' : 'application', key: raw }
}

/**
 * The end of a tenant key: detects typing mistakes and truncation without a query, and reduces false positives of secret
 * scanners. Not a MAC: anyone can compute it.
 */
export const checksum = (text: string): string => base62Of(crc32(text), CHECKSUM_CHARACTERS)

const CRC32_POLYNOMIAL = 0xedb88320

const CRC32_TABLE: Uint32Array = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) {
    crc = crc & 1 ? (crc >>> 1) ^ CRC32_POLYNOMIAL : crc >>> 1
  }
  return crc
})

/** CRC-32 (ISO/IEC 3309, as in zip) of ASCII text. */
export function crc32(text: string): number {
  let crc = 0xffffffff
  for (let index = 0; index < text.length; index++) {
    crc = (crc >>> 8) ^ (CRC32_TABLE[(crc ^ text.charCodeAt(index)) & 0xff] ?? 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}
