import { createHash } from 'node:crypto'
import { domainToASCII } from 'node:url'
import {
  asciiLowerCase,
  type DomainMethod,
  type DomainStatus,
  HOST_MAX_CHARACTERS,
  type Proof,
} from '@gatehouse-auth/contract'
import { parse } from 'tldts'
import { hostProblem, isLoopback, isSite } from '../callbacks/host.ts'
import type { TenantId } from '../ids.ts'
import type { Duration, Instant } from '../time.ts'

export const RECHECK_MS: Duration = 7 * 24 * 3_600_000

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
interface Proofs {
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
export function methodOf({ dns, file }: Found): DomainMethod | null {
  if (dns === 'found') {
    return 'dns'
  }
  return file === 'found' ? 'file' : null
}

export interface Rechecked {
  readonly status: 'verified' | 'lapsed'
  readonly method: DomainMethod | null
  readonly misses: number
  readonly checkedAt: Instant
  readonly nextCheckAt: Instant | null
}

/** One miss may be an outage of a name server or of ours. */
const MISSES_MAX = 2

/** A verified domain after its weekly check. */
export function recheck(
  { method: before, misses: missed }: Domain,
  found: Found,
  now: Instant,
): Rechecked {
  const method = methodOf(found)
  const misses = method === null ? missed + 1 : 0
  return misses >= MISSES_MAX
    ? { status: 'lapsed', method: null, misses, checkedAt: now, nextCheckAt: null }
    : {
        status: 'verified',
        method: method ?? before,
        misses,
        checkedAt: now,
        nextCheckAt: now + RECHECK_MS,
      }
}

/**
 * The name that a verified domain proves; null: none. A DNS record is set by the owner of the registrable domain, so it
 * covers all its hosts. A file proves the one host that serves it (as ACME's http-01, RFC 8555 §8.3): on a platform whose
 * domain is missing from the Public Suffix List, customers have hosts, and none has the domain.
 */
export function provenName({ status, method, host }: Domain): string | null {
  if (status !== 'verified') {
    return null
  }
  return method === 'file' ? host : registrableDomain(host)
}

/** The names, proven by the verified domains, that cover the host of a URL. */
export function coveringNames(domains: readonly Domain[], url: URL): string[] {
  // Any app can register any scheme, and the host behind it means nothing.
  if (!isSite(url)) {
    return []
  }
  const covers = (name: string, { method }: Domain): boolean => {
    if (isLoopback(url)) {
      return name === url.host
    }
    return name === (method === 'file' ? url.hostname : registrableDomain(url.hostname))
  }
  return domains.flatMap((domain) => {
    const name = provenName(domain)
    return name !== null && covers(name, domain) ? [name] : []
  })
}

type ReadDomainHost =
  | { readonly ok: true; readonly host: string }
  | { readonly ok: false; readonly problem: string }

/** Loopback with an optional port, as the host of a URL. */
const LOCAL = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::[1-9][0-9]{0,4})?$/

/** The host of a domain that can be verified, in lower case and Punycode. On a local service also an app on this computer. */
export function readDomainHost(text: string, baseUrl: string): ReadDomainHost {
  const own = new URL(baseUrl)
  const lower = asciiLowerCase(text.trim())
  if (lower === own.host) {
    return refused('This is the host of this service.')
  }
  if (LOCAL.test(lower)) {
    return isLoopback(own) && URL.canParse(`http://${lower}`)
      ? { ok: true, host: new URL(`http://${lower}`).host }
      : refused(
          'Only a local service verifies apps on this computer. Use a host name on the public internet.',
        )
  }
  if (/[/:@?#\s]/.test(lower)) {
    return refused('Send a host name alone, without scheme, port, path and spaces.')
  }
  const host = domainToASCII(lower)
  if (host === '') {
    return refused('This is not a host name.')
  }
  if (host.length > HOST_MAX_CHARACTERS) {
    return refused(`A host has at most ${HOST_MAX_CHARACTERS} characters.`)
  }
  if (host.includes('*')) {
    return refused('Leave the wildcard out: a DNS record covers all hosts of a domain.')
  }
  const problem = hostProblem(host)
  if (problem !== null) {
    return refused(problem)
  }
  // Prevents a brand on a name that strangers share, such as `github.io`.
  if (registrableDomain(host) === null) {
    return refused(
      'Names under this suffix belong to different people. Send a domain of your own, such as "example.com".',
    )
  }
  return { ok: true, host }
}

const refused = (problem: string): ReadDomainHost => ({ ok: false, problem })

/**
 * The name that is bought or handed out to one customer: `example.co.uk`, `alice.github.io`. null: an IP address, a name
 * without a dot, or a suffix that many share (`co.uk`, `github.io`), by the Public Suffix List with its private part.
 */
export function registrableDomain(host: string): string | null {
  return parse(host, { allowPrivateDomains: true, extractHostname: false }).domain
}
