import { readSuccess } from '../service/read-response.ts'
import type { Brand as BrandFields, BrandSettings, Domain, DomainCheck } from './brand-types.ts'
import { bodyWith, fieldOf, hostSegment, json, type Manage } from './manage.ts'

/** Name, links, color and logo of your app on the consent page. For owned projects. */
export interface BrandCalls {
  /** null: none is set. */
  get(): Promise<BrandFields | null>
  /** Replaces all but the logo. */
  set(brand: BrandSettings): Promise<BrandFields>
  /** Deletes the brand and its logo. Idempotent. */
  delete(): Promise<void>
  readonly logo: {
    /** The bytes of a square PNG file of 64 to 512 pixels, at most 64 KiB. Only its pixels are kept. */
    set(png: Uint8Array): Promise<BrandFields>
    /** Idempotent. */
    delete(): Promise<void>
  }
}

/** The brand is shown to users who return to a verified domain. For owned projects. */
export interface Domains {
  list(): Promise<readonly Domain[]>
  /** Returns the DNS record or the file that verifies it. A domain that exists is returned as it is. */
  add(host: string): Promise<Domain>
  /** Looks for the record and the file now. A verified domain stays so if they are not found. */
  check(host: string): Promise<DomainCheck>
  delete(host: string): Promise<void>
}

const BRAND = '/api/social-login/brand'
const LOGO = `${BRAND}/logo`
const DOMAINS = '/api/domains'

export const createBrand = (manage: Manage): BrandCalls => ({
  get: async () => fieldOf(await manage('GET', BRAND), 'brand'),
  set: async (brand) => fieldOf(await manage('PUT', BRAND, json(brand)), 'brand'),
  delete: async () => readSuccess(await manage('DELETE', BRAND)),
  logo: {
    set: async (png) =>
      fieldOf(await manage('PUT', LOGO, { body: png, headers: { 'Content-Type': 'image/png' } }), 'brand'),
    delete: async () => readSuccess(await manage('DELETE', LOGO)),
  },
})

export function createDomains(manage: Manage): Domains {
  const pathOf = (host: string, rest = ''): string => `${DOMAINS}/${hostSegment(host)}${rest}`
  return {
    list: async () => fieldOf(await manage('GET', DOMAINS), 'domains'),
    add: async (host) => fieldOf(await manage('POST', DOMAINS, json({ host })), 'domain'),
    check: async (host) => bodyWith<DomainCheck>(await manage('POST', pathOf(host, '/check')), 'found'),
    delete: async (host) => readSuccess(await manage('DELETE', pathOf(host))),
  }
}
