import { SECRET_PREFIXES } from '@gatehouse/contract'
import { randomBase62 } from '../tokens/base62.ts'
import { CHECKSUM_CHARACTERS, checksum } from '../tokens/checksum.ts'
import type { RandomBytes } from '../tokens/uniform.ts'

export const TENANT_KEY_KINDS = ['management', 'application'] as const

export type TenantKeyKind = (typeof TENANT_KEY_KINDS)[number]

const PREFIXES: Readonly<Record<TenantKeyKind, string>> = {
  management: SECRET_PREFIXES.managementKey,
  application: SECRET_PREFIXES.applicationKey,
}

/** 36 × 5.95 = 214 bits. */
const BODY_CHARACTERS = 36

const SHAPE = new RegExp(
  `^(?:${Object.values(PREFIXES).join('|')})[0-9A-Za-z]{${BODY_CHARACTERS + CHECKSUM_CHARACTERS}}$`,
)

export function mintTenantKey(kind: TenantKeyKind, random: RandomBytes): string {
  const key = `${PREFIXES[kind]}${randomBase62(BODY_CHARACTERS, random)}`
  return `${key}${checksum(key)}`
}

/**
 * The kind of a key; null if the format or the checksum is wrong. Checked before any query. A well-formed key may still be
 * unknown.
 */
export function readTenantKey(raw: string): { readonly kind: TenantKeyKind; readonly key: string } | null {
  if (!SHAPE.test(raw)) return null
  if (checksum(raw.slice(0, -CHECKSUM_CHARACTERS)) !== raw.slice(-CHECKSUM_CHARACTERS)) return null
  return { kind: raw.startsWith(PREFIXES.management) ? 'management' : 'application', key: raw }
}
