import { hash } from 'node:crypto'
import type { Accent } from '@gatehouse-auth/contract'
import { isLoopback } from '../callbacks/host.ts'
import type { AccountId } from '../ids.ts'
import { isNameFor } from './brand-name.ts'
import { coveringNames, type Domain } from './domain.ts'

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
  const covering = coveringNames(domains, callback)
  // A well-known brand is on the name of one of its owner's domains, and the callback may be on another.
  if (covering.length === 0 || !isNameFor(brand.name, covering)) {
    return null
  }
  // A link was on a verified domain when it was set, and that verification may have ended.
  const verified = (url: string | null): string | null =>
    url !== null && coveringNames(domains, new URL(url)).length > 0 ? url : null
  return { ...brand, privacyUrl: verified(brand.privacyUrl), termsUrl: verified(brand.termsUrl) }
}

type ReadBrandUrl =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly problem: string }

/** A link of the app on the consent page. On a local service, http to a verified app on this computer is allowed, too. */
export function readBrandUrl(text: string, domains: readonly Domain[]): ReadBrandUrl {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !['https:', 'http:'].includes(url.protocol)) {
    return refused('Send an absolute https URL.')
  }
  if (url.username !== '' || url.password !== '') {
    return refused('Leave user name and password out of the URL.')
  }
  if (url.protocol === 'http:' && !isLoopback(url)) {
    return refused('Only https is accepted.')
  }
  if (coveringNames(domains, url).length === 0) {
    return refused(
      'Its host is not on a verified domain of this tenant. Verify it first: POST /api/domains.',
    )
  }
  return { ok: true, url: url.href }
}

const refused = (problem: string): ReadBrandUrl => ({ ok: false, problem })

interface ShownApp {
  /** null: a guest tenant. */
  readonly owner: AccountId | null
  /** The owner controls the domain of the callback. */
  readonly verified: boolean
  readonly brand: Brand | null
}

/**
 * A hash of what the consent page says about who an app is. When it changes, a remembered consent no longer counts. The
 * host is not part of it, because consents are stored by host; nor is the color, which says nothing about who it is.
 */
export function shownAppHash({ owner, verified, brand }: ShownApp): string {
  const shown = brand && [brand.name, brand.logo?.hash ?? null, brand.privacyUrl, brand.termsUrl]
  return hash('sha256', JSON.stringify(['app', owner, verified, shown]), 'base64url')
}
