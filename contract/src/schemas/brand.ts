import * as z from 'zod'
import { BRAND_NAME_MAX_CHARACTERS, BRAND_URL_MAX_CHARACTERS } from '../limits.ts'

/** Colors of the Continue button whose contrast is tested, in light and dark. */
export const ACCENTS = ['gray', 'blue', 'indigo', 'purple', 'pink', 'red', 'orange', 'green'] as const

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
