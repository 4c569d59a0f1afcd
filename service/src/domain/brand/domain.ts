import { createHash } from 'node:crypto'
import type { DomainMethod, DomainStatus, Proof } from '@gatehouse/contract'
import { isLoopback } from '../callbacks/loopback.ts'
import type { TenantId } from '../ids.ts'
import type { Duration, Instant } from '../time.ts'
import { registrableDomain } from './registrable-domain.ts'

export const RECHECK_MS: Duration = 7 * 24 * 3_600_000
/** One miss may be an outage of a name server or of ours. */
const MISSES_MAX = 2

/** Identifies a domain of a tenant. Several tenants may verify one, e.g. for staging and production. */
export interface DomainRef {
  readonly tenantId: TenantId
  readonly host: string
}

export interface Domain extends DomainRef {
  readonly status: DomainStatus
  /** How it was found last; null: not yet. */
  readonly method: DomainMethod | null
  readonly verifiedAt: Instant | null
  readonly checkedAt: Instant | null
  /** When the sweep checks it next, or until when one process does; null unless verified. */
  readonly nextCheckAt: Instant | null
  readonly misses: number
  readonly createdAt: Instant
}

/** Where the value of a domain is looked for. */
export interface Proofs {
  readonly value: string
  /** null: an app on this computer has no name in the DNS. */
  readonly recordName: string | null
  readonly fileUrl: string
}

/** What a check found at each place. */
export type Found = Readonly<Record<DomainMethod, Proof>>

/** Looks for the proofs. Never rejects: what cannot be read is absent. */
export type ProbeDomain = (proofs: Proofs) => Promise<Found>

export function proofsOf({ tenantId, host }: DomainRef): Proofs {
  const domain = registrableDomain(host)
  return {
    value: verificationValue(tenantId, host),
    recordName: domain === null ? null : `_gatehouse.${domain}`,
    fileUrl: `${isLoopback(new URL(`http://${host}`)) ? 'http' : 'https'}://${host}/.well-known/gatehouse.txt`,
  }
}

/**
 * Binds the proof to tenant and host: one that was published for another tenant, or that a wildcard repeats at another host,
 * proves nothing. Not a secret, because publishing it is what proves control; and not keyed, because it must outlive keys.
 */
const verificationValue = (tenantId: TenantId, host: string): string =>
  `gatehouse-verification=${createHash('sha256').update(`domain\0${tenantId}\0${host}`).digest('base64url')}`

/** DNS first, because it covers more. */
export const methodOf = ({ dns, file }: Found): DomainMethod | null =>
  dns === 'found' ? 'dns' : file === 'found' ? 'file' : null

export interface Rechecked {
  readonly status: 'verified' | 'lapsed'
  readonly method: DomainMethod | null
  readonly misses: number
  readonly checkedAt: Instant
  readonly nextCheckAt: Instant | null
}

/** A verified domain after its weekly check. */
export function recheck({ method: before, misses: missed }: Domain, found: Found, now: Instant): Rechecked {
  const method = methodOf(found)
  const misses = method === null ? missed + 1 : 0
  return misses >= MISSES_MAX
    ? { status: 'lapsed', method: null, misses, checkedAt: now, nextCheckAt: null }
    : { status: 'verified', method: method ?? before, misses, checkedAt: now, nextCheckAt: now + RECHECK_MS }
}

/**
 * The verified domain that covers the host of a URL; null if there is none. A DNS record is set by the owner of the
 * registrable domain, so it covers all its hosts. A file proves the one host that serves it (as ACME's http-01, RFC 8555
 * §8.3): on a platform whose domain is missing from the Public Suffix List, customers have hosts, and none has the domain.
 */
export function coveringDomain(domains: readonly Domain[], url: URL): Domain | null {
  const covers = ({ status, method, host }: Domain): boolean => {
    if (status !== 'verified') return false
    if (isLoopback(url)) return host === url.host
    if (method === 'file') return host === url.hostname
    const domain = registrableDomain(url.hostname)
    return domain !== null && domain === registrableDomain(host)
  }
  return domains.find(covers) ?? null
}
