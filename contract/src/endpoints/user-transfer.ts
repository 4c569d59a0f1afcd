import * as z from 'zod'
import { BODY_ERRORS } from '../api-errors.ts'
import { SAMPLE_LISTED_USER } from '../examples.ts'
import { IMPORT_MAX_BYTES, IMPORT_MAX_ROWS, USER_IDENTITIES_MAX } from '../limits.ts'
import { Claims } from '../schemas/claims.ts'
import { User, UserMetadata } from '../schemas/user.ts'
import { defineEndpoint, MANAGEMENT_ERRORS } from './define-endpoint.ts'

const ISSUER_MAX_CHARACTERS = 2_048

export const NDJSON = 'application/x-ndjson'
export const CSV = 'text/csv'

const ExportedIdentity = z.strictObject({
  issuer: z.string().max(ISSUER_MAX_CHARACTERS),
  subject: z.string(),
  email: z.string(),
  name: z.string().nullable(),
  picture: z.string().nullable(),
  pinned: z.boolean(),
  last_seen: z.iso.datetime(),
})

/** One line of an export; an import accepts it. */
export const ExportedUser = User.extend({
  issuer: z.string().describe('The provider.'),
  subject: z.string().describe('The provider’s id for the user.'),
  blocked: z.boolean(),
  metadata: UserMetadata,
  claims: Claims,
  identities: z
    .array(ExportedIdentity)
    .describe('All identities of a user who has several; otherwise empty.'),
}).meta({ id: 'ExportedUser', description: 'One line of an export.' })

export type ExportedUser = z.infer<typeof ExportedUser>

export const ImportedUser = z
  .strictObject({
    id: z
      .int()
      .optional()
      .describe('Ignored: the user gets a new id, because ids are never reused.'),
    issuer: z
      .string()
      .max(ISSUER_MAX_CHARACTERS)
      .optional()
      .describe(
        'The provider, by default Google: a named one, or an OpenID provider of this tenant.',
      ),
    subject: z
      .string()
      .describe('The provider’s id for the user. Users are never matched by email.'),
    email: z.string(),
    name: z.string().nullable().optional(),
    picture: z.string().nullable().optional(),
    first_seen: z.iso.datetime().optional().describe('Default: now.'),
    last_seen: z.iso.datetime().optional().describe('Default: now.'),
    blocked: z.boolean().optional(),
    metadata: UserMetadata.optional(),
    claims: Claims.optional(),
    identities: z
      .array(ExportedIdentity)
      .max(USER_IDENTITIES_MAX)
      .optional()
      .describe('All identities of a user who has several, the one above included.'),
  })
  .meta({ id: 'ImportedUser', description: 'One line of an import; a line of an export fits.' })

export type ImportedUser = z.infer<typeof ImportedUser>

export const ImportResult = z
  .strictObject({
    line: z.int().describe('Counts from 1.'),
    result: z
      .enum(['created', 'exists', 'invalid', 'user_limit'])
      .describe('`exists`: nothing was changed. `user_limit`: the tier includes no more users.'),
    user_id: z.int().optional().describe('Present with `created` and `exists`.'),
    problem: z.string().optional().describe('Present with `invalid`.'),
    warning: z
      .string()
      .optional()
      .describe(
        'Present with `created`: the subject may be another one for another client of the provider.',
      ),
  })
  .meta({ id: 'ImportResult', description: 'What happened to one line of an import.' })

export type ImportResult = z.infer<typeof ImportResult>

const SAMPLE_EXPORTED = {
  ...SAMPLE_LISTED_USER,
  issuer: 'https://accounts.google.com',
  subject: '110248495921238986420',
  blocked: false,
  metadata: { plan: 'pro' },
  claims: { role: 'admin', plan: 'pro' },
  identities: [],
}

export const exportUsers = defineEndpoint({
  id: 'exportUsers',
  method: 'GET',
  path: '/api/social-login/export',
  auth: 'management',
  summary: 'Export all users with everything that is stored about them, one per line.',
  tag: 'Users and events',
  query: z.strictObject({
    format: z
      .enum(['ndjson', 'csv'])
      .optional()
      .default('ndjson')
      .describe('`ndjson`: an ExportedUser per line. `csv`: the same fields, with a header line.'),
  }),
  ok: { status: 200, body: z.string(), textTypes: [NDJSON, CSV] },
  errors: [...MANAGEMENT_ERRORS, 'notProvisioned'],
  example: { query: { format: 'ndjson' }, response: `${JSON.stringify(SAMPLE_EXPORTED)}\n` },
})

export const importUsers = defineEndpoint({
  id: 'importUsers',
  method: 'POST',
  path: '/api/social-login/import',
  auth: 'management',
  summary: `Import users, one JSON object per line: at most ${IMPORT_MAX_ROWS} lines and 1 MiB. Users that exist stay as they are.`,
  tag: 'Users and events',
  textBody: { type: NDJSON, schema: ImportedUser },
  bodyMaxBytes: IMPORT_MAX_BYTES,
  ok: {
    status: 200,
    body: z.strictObject({
      created: z.int(),
      existing: z.int(),
      failed: z.int(),
      results: z.array(ImportResult).describe('One for each line.'),
    }),
  },
  errors: [
    ...MANAGEMENT_ERRORS,
    'tenantSuspended',
    ...BODY_ERRORS,
    'notProvisioned',
    'importRequiresClaim',
  ],
  example: {
    text: '{"subject":"110248495921238986420","email":"ada@example.com","name":"Ada Lovelace"}\n',
    response: {
      created: 1,
      existing: 0,
      failed: 0,
      results: [{ line: 1, result: 'created', user_id: 1 }],
    },
  },
})

/** In documentation order. */
export const USER_TRANSFER_ENDPOINTS = [exportUsers, importUsers] as const
