import * as z from 'zod'
import { PROVIDER_SECRET_MAX_CHARACTERS, PROVIDER_SECRET_MIN_CHARACTERS } from '../limits.ts'
import {
  type AnyProvider,
  isProviderName,
  NAMED_PROVIDERS,
  OIDC_NAME,
  PROVIDER_LIST,
  PROVIDER_PATTERN,
  type ProviderKind,
} from '../providers.ts'

export type ProviderName = AnyProvider

export const ProviderName = z
  .string()
  .refine(isProviderName, `Send ${PROVIDER_LIST}.`)
  .meta({
    id: 'ProviderName',
    pattern: `^${PROVIDER_PATTERN}$`,
    description: `${NAMED_PROVIDERS.map((name) => `\`${name}\``).join(', ')}, or ${OIDC_NAME}.`,
  })

export const PROVIDER_STATUSES = ['pending', 'active', 'failing'] as const

export type ProviderStatus = (typeof PROVIDER_STATUSES)[number]

const Mode = z
  .enum(['shared', 'own'])
  .describe(
    '`shared`: the client of this service. `own`: a client that you registered at the provider.',
  )

export const Provider = z
  .strictObject({
    name: ProviderName,
    mode: Mode,
    client_id: z.string().nullable().describe('Of your own client; null if it is shared.'),
    issuer: z.string().optional().describe('Of an `oidc-` provider.'),
    display_name: z
      .string()
      .optional()
      .describe('Of an `oidc-` provider: its name on the consent page.'),
    redirect_uri: z.string().describe('Register exactly this URL at the provider.'),
    status: z
      .enum(PROVIDER_STATUSES)
      .describe(
        '`pending`: waits for a test sign-in of the owner at /account. `failing`: the provider refused the client id or the secret.',
      ),
    tested_at: z.iso
      .datetime()
      .nullable()
      .describe('The last successful test sign-in of the owner.'),
    login_url: z.string().describe('The link for a sign-in button.'),
    in_use: z
      .strictObject({ mode: Mode, client_id: z.string().nullable() })
      .nullable()
      .describe(
        'What sign-ins use now: another client, while a new one is pending. null: the provider is not enabled.',
      ),
  })
  .meta({ id: 'Provider', description: 'A way to sign in to your app.' })

export type Provider = z.infer<typeof Provider>

/** Visible ASCII: a secret with a space or a line break was not copied as it is. */
const Secret = z
  .string()
  .min(PROVIDER_SECRET_MIN_CHARACTERS)
  .max(PROVIDER_SECRET_MAX_CHARACTERS)
  .regex(/^[\x21-\x7e]*$/, 'Send the secret without spaces or line breaks.')

const ID = {
  google: [
    /^\d+-[a-z0-9]+\.apps\.googleusercontent\.com$/,
    'It ends with .apps.googleusercontent.com.',
  ],
  github: [/^[A-Za-z0-9.]{10,64}$/, 'Copy the client ID of the OAuth app.'],
  microsoft: [
    /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i,
    'Copy the application (client) ID, a UUID.',
  ],
  apple: [
    /^[A-Za-z0-9.-]{3,255}$/,
    'Send the identifier of the Services ID, such as com.example.web.',
  ],
  oidc: [/^[\x21-\x7e]{1,255}$/, 'Send the client id that the provider gave you.'],
} as const satisfies Record<ProviderKind, readonly [RegExp, string]>

const clientId = (kind: ProviderKind) => {
  const [pattern, problem] = ID[kind]
  return z.string().regex(pattern, problem)
}

const AppleId = z.string().regex(/^[A-Z0-9]{10}$/, 'Send the ten characters that Apple shows.')

const DIRECTORY =
  /^(common|organizations|consumers|[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}|(?!.{254})([a-z0-9-]+\.)+[a-z]{2,})$/i

const OWN = { mode: z.literal('own').optional(), redirect_uri: z.string().max(2_048).optional() }
const withSecret = (kind: ProviderKind) => ({
  ...OWN,
  client_id: clientId(kind),
  client_secret: Secret,
})

/** What an owner sends for a client of their own, by kind of provider. */
export const OWN_CLIENTS = {
  google: z.strictObject(withSecret('google')),
  github: z.strictObject(withSecret('github')),
  microsoft: z.strictObject({
    ...withSecret('microsoft'),
    directory: z
      .string()
      .regex(DIRECTORY, 'Send a directory id, its domain, common, organizations or consumers.')
      .default('common'),
  }),
  apple: z.strictObject({
    ...OWN,
    client_id: clientId('apple'),
    team_id: AppleId,
    key_id: AppleId,
    private_key: z.string().max(2_000),
  }),
  oidc: z.strictObject({
    ...withSecret('oidc'),
    issuer: z.string().max(512),
    display_name: z
      .string()
      .trim()
      .min(1)
      .max(40)
      .regex(/^[^\p{C}\p{Zl}\p{Zp}]+$/u, 'Send one line of text.'),
  }),
} as const satisfies Record<ProviderKind, z.ZodType>

/** The same, checked. */
export type OwnClients = { readonly [K in ProviderKind]: z.output<(typeof OWN_CLIENTS)[K]> }

/** The client of this service. */
export const SHARED_CLIENT = z.strictObject({ mode: z.literal('shared') })

/** The fields of all kinds, for the documentation. Which ones a provider takes is checked with `OWN_CLIENTS`. */
export const ProviderClientBody = z
  .strictObject({
    mode: Mode.optional().describe('`shared` alone: the client of this service. Default: `own`.'),
    client_id: z.string().optional(),
    client_secret: z
      .string()
      .optional()
      .describe('Of all but `apple`. Encrypted at rest; no response contains it.'),
    directory: z
      .string()
      .optional()
      .describe('Of `microsoft`: who may sign in. `common`, the default: every account.'),
    team_id: z.string().optional().describe('Of `apple`.'),
    key_id: z.string().optional().describe('Of `apple`.'),
    private_key: z.string().optional().describe('Of `apple`: the content of the `.p8` file.'),
    issuer: z.string().optional().describe('Of `oidc-…`: an https URL with discovery.'),
    display_name: z
      .string()
      .optional()
      .describe(
        'Of `oidc-…`: 1 to 40 characters for the consent page, and the rules of a brand apply.',
      ),
    redirect_uri: z
      .string()
      .optional()
      .describe(
        'Not of `apple`: a URL of your app that relays the response here. Default: the callback of this service.',
      ),
  })
  .meta({
    id: 'ProviderClient',
    description: '`{ "mode": "shared" }`, or the fields of your client.',
  })
