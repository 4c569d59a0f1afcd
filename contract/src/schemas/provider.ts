import * as z from 'zod'
import type { ProviderDefinition } from '../providers/definition.ts'
import {
  type AnyProvider,
  isProviderName,
  NAMED_PROVIDERS,
  OIDC_NAME,
  PROVIDER_KINDS,
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
    client_id: z
      .string()
      .nullable()
      .describe('The client ID of your own client; null if the client is shared.'),
    issuer: z.string().optional().describe('Only for an `oidc-` provider.'),
    display_name: z
      .string()
      .optional()
      .describe('Only for an `oidc-` provider: its name on the consent page.'),
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

/** What an owner sends for a client of their own, checked. */
export type OwnClients = {
  readonly [K in ProviderKind]: z.output<OwnClientSchemas[K]>
}

type OwnClientSchemas = {
  readonly [K in ProviderKind]: ReturnType<(typeof PROVIDER_KINDS)[K]['ownClient']>
}

/** The schema of each kind. The cast holds because both go through the same definitions. */
export const OWN_CLIENTS = Object.fromEntries(
  Object.entries(PROVIDER_KINDS).map(([kind, definition]) => [kind, definition.ownClient(z)]),
) as OwnClientSchemas

/** The client of this service. */
export const SHARED_CLIENT = z.strictObject({ mode: z.literal('shared') })

const KINDS = Object.entries<ProviderDefinition>(PROVIDER_KINDS)

/** The fields that not every provider has, each with the provider that has it. */
const DOCUMENTED_FIELDS = documentedFields()

function documentedFields(): Record<string, z.ZodOptional<z.ZodString>> {
  const documented: Record<string, z.ZodOptional<z.ZodString>> = {}
  for (const [kind, { fields }] of KINDS) {
    const name = kind === 'oidc' ? 'oidc-…' : kind
    for (const [field, { doc }] of Object.entries(fields)) {
      const description = doc === '' ? `For \`${name}\`.` : `For \`${name}\`: ${doc}`
      documented[field] = z.string().optional().describe(description)
    }
  }
  return documented
}

const namesOf = (condition: (definition: ProviderDefinition) => boolean): string =>
  KINDS.filter(([, definition]) => condition(definition))
    .map(([kind]) => `\`${kind}\``)
    .join(', ')

const WITHOUT_SECRET = namesOf(({ ownClient }) => !('client_secret' in ownClient(z).shape))
const WITHOUT_RELAY = namesOf(({ formPost }) => formPost)

/** The fields of all kinds, for the documentation. Which ones a provider takes is in its definition. */
export const ProviderClientBody = z
  .strictObject({
    mode: Mode.optional().describe('`shared` alone: the client of this service. Default: `own`.'),
    client_id: z.string().optional(),
    client_secret: z
      .string()
      .optional()
      .describe(
        `For all providers but ${WITHOUT_SECRET}. Encrypted at rest; no response contains it.`,
      ),
    ...DOCUMENTED_FIELDS,
    redirect_uri: z
      .string()
      .optional()
      .describe(
        `For all providers but ${WITHOUT_RELAY}: a URL of your app that relays the response here. Default: the callback of this service.`,
      ),
  })
  .meta({
    id: 'ProviderClient',
    description: '`{ "mode": "shared" }`, or the fields of your client.',
  })
