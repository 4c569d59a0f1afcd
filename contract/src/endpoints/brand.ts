import * as z from 'zod'
import { BODY_ERRORS } from '../api-errors.ts'
import { SAMPLE_BRAND, SAMPLE_LOGO } from '../examples/brand.ts'
import { LOGO_MAX_BYTES, LOGO_MAX_PIXELS, LOGO_MIN_PIXELS } from '../limits.ts'
import { Brand, BrandSettings } from '../schemas/brand.ts'
import { defineEndpoint } from './define-endpoint.ts'
import { MANAGEMENT_ERRORS } from './management-errors.ts'

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
  summary: 'Set name, links and color. The logo stays. Shown to users who return to a verified domain.',
  tag: 'Domains and brand',
  body: BrandSettings,
  ok: { status: 200, body: OneBrand },
  errors: [...ERRORS, 'tenantSuspended', ...BODY_ERRORS],
  example: { body: { name: SAMPLE_BRAND.name, accent: SAMPLE_BRAND.accent }, response: { brand: SAMPLE_BRAND } },
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
      brand: { ...SAMPLE_BRAND, logo: { url: '{base_url}/logo/swift-fox-running-k3qd7/EXAMPLE.png', size: 64 } },
    },
  },
})

export const deleteLogo = defineEndpoint({
  id: 'deleteLogo',
  method: 'DELETE',
  path: `${PATH}/logo`,
  auth: 'management',
  summary: 'Delete the logo: the first letters of the name are shown instead. Succeeds if there is none.',
  tag: 'Domains and brand',
  ok: { status: 200, body: Success },
  errors: [...ERRORS, 'tenantSuspended'],
  example: { response: { success: true } },
})

/** In documentation order. */
export const BRAND_ENDPOINTS = [readBrand, setBrand, deleteBrand, setLogo, deleteLogo] as const
