import * as z from 'zod'
import { BODY_ERRORS } from '../api-errors.ts'
import {
  DOMAIN_CHECKS_PER_HOUR,
  DOMAINS_MAX,
  LOGO_MAX_BYTES,
  LOGO_MAX_PIXELS,
  LOGO_MIN_PIXELS,
} from '../limits.ts'
import { Brand, BrandSettings, Domain, DomainCheck, DomainHost } from '../schemas/brand.ts'
import { defineEndpoint, MANAGEMENT_ERRORS } from './define-endpoint.ts'

const SAMPLE_BRAND = {
  name: 'Example Notes',
  privacy_url: null,
  terms_url: null,
  accent: 'indigo',
  logo: null,
  shown_on: ['app.example.com'],
} as const

/** A black square of 64 pixels. */
const SAMPLE_LOGO =
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAQAAAACCEkxzAAAAD0lEQVR42mNgGAWjgHwAAAJAAAHgTR1EAAAAAElFTkSuQmCC'

const VALUE = 'gatehouse-verification=EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXA'

const SAMPLE_DOMAIN = {
  host: 'app.example.com',
  registrable_domain: 'example.com',
  status: 'pending',
  method: null,
  dns: { type: 'TXT', name: '_gatehouse.example.com', value: VALUE },
  file: { url: 'https://app.example.com/.well-known/gatehouse.txt', content: VALUE },
  verified_at: null,
  checked_at: null,
  next_check_at: null,
  missed_checks: 0,
  created_at: '2026-11-15T12:00:00.000Z',
} as const

const ERRORS = [...MANAGEMENT_ERRORS, 'notProvisioned', 'ownerRequired'] as const
const PATH = '/api/social-login/brand'

const OneBrand = z.strictObject({ brand: Brand })
const Success = z.strictObject({ success: z.literal(true) })

export const readBrand = defineEndpoint({
  id: 'readBrand',
  method: 'GET',
  path: PATH,
  auth: 'management',
  summary: 'Read what the consent page shows of your app.',
  tag: 'Domains and brand',
  ok: { status: 200, body: z.strictObject({ brand: Brand.nullable() }) },
  errors: ERRORS,
  example: { response: { brand: SAMPLE_BRAND } },
})

export const setBrand = defineEndpoint({
  id: 'setBrand',
  method: 'PUT',
  path: PATH,
  auth: 'management',
  summary:
    'Set name, links and color. The logo stays. Shown to users who return to a verified domain.',
  tag: 'Domains and brand',
  body: BrandSettings,
  ok: { status: 200, body: OneBrand },
  errors: [...ERRORS, 'tenantSuspended', ...BODY_ERRORS],
  example: {
    body: { name: SAMPLE_BRAND.name, accent: SAMPLE_BRAND.accent },
    response: { brand: SAMPLE_BRAND },
  },
})

export const deleteBrand = defineEndpoint({
  id: 'deleteBrand',
  method: 'DELETE',
  path: PATH,
  auth: 'management',
  summary: 'Delete the brand and its logo. Succeeds if there is none.',
  tag: 'Domains and brand',
  ok: { status: 200, body: Success },
  errors: [...ERRORS, 'tenantSuspended'],
  example: { response: { success: true } },
})

export const setLogo = defineEndpoint({
  id: 'setLogo',
  method: 'PUT',
  path: `${PATH}/logo`,
  auth: 'management',
  summary: `Upload the logo: a PNG file as the body, square, ${LOGO_MIN_PIXELS} to ${LOGO_MAX_PIXELS} pixels, at most 64 KiB. Only its pixels are kept.`,
  tag: 'Domains and brand',
  fileBody: 'image/png',
  bodyMaxBytes: LOGO_MAX_BYTES,
  ok: { status: 200, body: OneBrand },
  errors: [...ERRORS, 'tenantSuspended', ...BODY_ERRORS, 'brandNotFound'],
  example: {
    file: SAMPLE_LOGO,
    response: {
      brand: {
        ...SAMPLE_BRAND,
        logo: { url: '{base_url}/logo/swift-fox-running-k3qd7/EXAMPLE.png', size: 64 },
      },
    },
  },
})

export const deleteLogo = defineEndpoint({
  id: 'deleteLogo',
  method: 'DELETE',
  path: `${PATH}/logo`,
  auth: 'management',
  summary:
    'Delete the logo: the first letters of the name are shown instead. Succeeds if there is none.',
  tag: 'Domains and brand',
  ok: { status: 200, body: Success },
  errors: [...ERRORS, 'tenantSuspended'],
  example: { response: { success: true } },
})

/** In documentation order. */
export const BRAND_ENDPOINTS = [readBrand, setBrand, deleteBrand, setLogo, deleteLogo] as const

const DOMAIN_ERRORS = [...MANAGEMENT_ERRORS, 'ownerRequired'] as const

export const domainParams = z.object({ host: z.string() })

export const addDomain = defineEndpoint({
  id: 'addDomain',
  method: 'POST',
  path: '/api/domains',
  auth: 'management',
  summary: `Add a domain and get the DNS record or the file that verifies it. At most ${DOMAINS_MAX}; one that exists is returned as it is.`,
  tag: 'Domains and brand',
  body: z.strictObject({ host: DomainHost }),
  ok: { status: 200, body: z.strictObject({ domain: Domain }) },
  errors: [...DOMAIN_ERRORS, 'tenantSuspended', ...BODY_ERRORS, 'domainLimit'],
  example: { body: { host: SAMPLE_DOMAIN.host }, response: { domain: SAMPLE_DOMAIN } },
})

export const listDomains = defineEndpoint({
  id: 'listDomains',
  method: 'GET',
  path: '/api/domains',
  auth: 'management',
  summary: 'List the domains of this tenant, with what verifies each.',
  tag: 'Domains and brand',
  ok: { status: 200, body: z.strictObject({ domains: z.array(Domain) }) },
  errors: DOMAIN_ERRORS,
  example: { response: { domains: [SAMPLE_DOMAIN] } },
})

export const checkDomain = defineEndpoint({
  id: 'checkDomain',
  method: 'POST',
  path: '/api/domains/:host/check',
  auth: 'management',
  summary: `Look for the DNS record and the file now. A domain that is verified stays so if they are not found. At most ${DOMAIN_CHECKS_PER_HOUR} an hour.`,
  tag: 'Domains and brand',
  params: domainParams,
  body: z.strictObject({}).optional(),
  ok: { status: 200, body: DomainCheck },
  errors: [...DOMAIN_ERRORS, 'tenantSuspended', ...BODY_ERRORS, 'domainNotFound'],
  example: {
    params: { host: SAMPLE_DOMAIN.host },
    body: {},
    response: {
      domain: {
        ...SAMPLE_DOMAIN,
        status: 'verified',
        method: 'dns',
        verified_at: '2026-11-15T12:05:00.000Z',
        checked_at: '2026-11-15T12:05:00.000Z',
        next_check_at: '2026-11-22T12:05:00.000Z',
      },
      found: { dns: 'found', file: 'absent' },
    },
  },
})

export const deleteDomain = defineEndpoint({
  id: 'deleteDomain',
  method: 'DELETE',
  path: '/api/domains/:host',
  auth: 'management',
  summary: 'Delete a domain and its verification.',
  tag: 'Domains and brand',
  params: domainParams,
  ok: { status: 200, body: z.strictObject({ success: z.literal(true) }) },
  errors: [...DOMAIN_ERRORS, 'tenantSuspended', 'domainNotFound'],
  example: { params: { host: SAMPLE_DOMAIN.host }, response: { success: true } },
})

/** In documentation order. */
export const DOMAIN_ENDPOINTS = [addDomain, listDomains, checkDomain, deleteDomain] as const
