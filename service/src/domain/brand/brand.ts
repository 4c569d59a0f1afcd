import type { Accent } from '@gatehouse/contract'
import { isLoopback } from '../callbacks/loopback.ts'
import { isNameFor } from './brand-name.ts'
import { coveringDomain, type Domain } from './domain.ts'
import { registrableDomain } from './registrable-domain.ts'

/** What an owner sets. */
export interface BrandSettings {
  readonly name: string
  readonly privacyUrl: string | null
  readonly termsUrl: string | null
  /** null: the color of this service. */
  readonly accent: Accent | null
}

export interface Logo {
  /** SHA-256 of the picture, in hex. */
  readonly hash: string
  /** Width and height. */
  readonly size: number
}

export interface Brand extends BrandSettings {
  readonly logo: Logo | null
}

/** The brand as users see it who return to this URL; null: it isn't shown there. `domains` are all of the tenant. */
export function brandOn(brand: Brand, domains: readonly Domain[], callback: URL): Brand | null {
  if (coveringDomain(domains, callback) === null) return null
  // A well-known brand is on the name of one of its owner's domains, and the callback may be on another.
  if (!isNameFor(brand.name, registrableDomain(callback.hostname))) return null
  // A link was on a verified domain when it was set, and that verification may have ended.
  const verified = (url: string | null): string | null =>
    url !== null && coveringDomain(domains, new URL(url)) !== null ? url : null
  return { ...brand, privacyUrl: verified(brand.privacyUrl), termsUrl: verified(brand.termsUrl) }
}

export type ReadBrandUrl =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly problem: string }

/** A link of the app on the consent page. On a local service, http to a verified app on this computer is allowed, too. */
export function readBrandUrl(text: string, domains: readonly Domain[]): ReadBrandUrl {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !['https:', 'http:'].includes(url.protocol)) return refused('Send an absolute https URL.')
  if (url.username !== '' || url.password !== '') return refused('Leave user name and password out of the URL.')
  if (url.protocol === 'http:' && !isLoopback(url)) return refused('Only https is accepted.')
  if (coveringDomain(domains, url) === null) {
    return refused('Its host is not on a verified domain of this tenant. Verify it first: POST /api/domains.')
  }
  return { ok: true, url: url.href }
}

const refused = (problem: string): ReadBrandUrl => ({ ok: false, problem })
