import * as z from 'zod'
import {
  BRAND_NAME_MAX_CHARACTERS,
  BRAND_URL_MAX_CHARACTERS,
  HOST_MAX_CHARACTERS,
} from '../limits.ts'

/** Colors of the Continue button whose contrast is tested, in light and dark. */
export const ACCENTS = [
  'gray',
  'blue',
  'indigo',
  'purple',
  'pink',
  'red',
  'orange',
  'green',
] as const

export type Accent = (typeof ACCENTS)[number]

const BrandName = z
  .string()
  .min(1)
  // In the form of the request; the rules count after normalization.
  .max(BRAND_NAME_MAX_CHARACTERS * 4)
  .describe(
    `What people call your app: at most ${BRAND_NAME_MAX_CHARACTERS} characters of one script, digits, spaces and \`- & . '\`. Names of well-known brands are for their domains only.`,
  )

const BrandUrl = z
  .string()
  .max(BRAND_URL_MAX_CHARACTERS)
  .nullable()
  .describe('An https URL on a verified domain of this tenant; null: none.')

const AccentName = z
  .enum(ACCENTS)
  .nullable()
  .describe('The color of the Continue button; null: the color of this service.')

/** What an owner sets. */
export const BrandSettings = z
  .strictObject({
    name: BrandName,
    privacy_url: BrandUrl.optional(),
    terms_url: BrandUrl.optional(),
    accent: AccentName.optional(),
  })
  .meta({ id: 'BrandSettings', description: 'The whole brand: a field that is absent is null.' })

export const Brand = z
  .strictObject({
    name: BrandName,
    privacy_url: BrandUrl,
    terms_url: BrandUrl,
    accent: AccentName,
    logo: z
      .strictObject({ url: z.string(), size: z.int().describe('Width and height in pixels.') })
      .nullable()
      .describe('null: the first letters of the name are shown.'),
    shown_on: z
      .array(z.string())
      .describe(
        'The hosts of your callback URLs on which the consent page shows the brand: those with a verified domain.',
      ),
  })
  .meta({ id: 'Brand', description: 'What the consent page shows of your app, besides its host.' })

export const DOMAIN_STATUSES = ['pending', 'verified', 'lapsed'] as const
export const DOMAIN_METHODS = ['dns', 'file'] as const
/** What a check found at one place. */
export const PROOFS = ['found', 'other', 'absent'] as const

export type DomainStatus = (typeof DOMAIN_STATUSES)[number]
export type DomainMethod = (typeof DOMAIN_METHODS)[number]
export type Proof = (typeof PROOFS)[number]

export const DomainHost = z
  .string()
  .min(1)
  .max(HOST_MAX_CHARACTERS)
  .describe(
    'A host name without scheme, port and path, such as `app.example.com`. On a local service also `localhost:3000`.',
  )

export const Domain = z
  .strictObject({
    host: DomainHost,
    registrable_domain: z
      .string()
      .nullable()
      .describe(
        'The name that is bought, such as `example.com`, by the Public Suffix List. null for this computer.',
      ),
    status: z
      .enum(DOMAIN_STATUSES)
      .describe(
        '`pending`: not found yet. `lapsed`: it was verified, and two weekly checks in a row did not find it.',
      ),
    method: z
      .enum(DOMAIN_METHODS)
      .nullable()
      .describe(
        'How it was verified. `dns` covers the registrable domain and all its hosts, `file` this host only.',
      ),
    dns: z
      .strictObject({ type: z.literal('TXT'), name: z.string(), value: z.string() })
      .nullable()
      .describe('The DNS record to add; null for this computer.'),
    file: z
      .strictObject({ url: z.string(), content: z.string() })
      .describe(
        'Or the file to serve: a line of it must be this text. Redirects are not followed.',
      ),
    verified_at: z.iso.datetime().nullable().describe('Since when it is verified.'),
    checked_at: z.iso.datetime().nullable().describe('The last check.'),
    next_check_at: z.iso.datetime().nullable().describe('A verified domain is checked every week.'),
    missed_checks: z
      .int()
      .describe(
        'Weekly checks in a row that did not find it. The second one ends the verification.',
      ),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Domain', description: 'A domain, what verifies it, and whether it is verified.' })

export const DomainCheck = z
  .strictObject({
    domain: Domain,
    found: z
      .strictObject({ dns: z.enum(PROOFS), file: z.enum(PROOFS) })
      .describe(
        '`other`: there is a record or a file, without the value of this tenant. `absent`: none could be read.',
      ),
  })
  .meta({ id: 'DomainCheck', description: 'What a check found, and the domain after it.' })
