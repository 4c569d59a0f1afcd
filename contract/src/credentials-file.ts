import * as z from 'zod'

/** In the root of a project: what an agent needs to manage the tenant (spec, Credentials file). */
export const CREDENTIALS_FILENAME = '.service'

/** The fields of the file, in the order they are written. MCP arguments have the same names. */
export const Credentials = z.strictObject({
  base_url: z.string().regex(/^https?:\/\/[^\s/]\S*$/),
  tenant_id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)+$/),
  coh_management_key: z.string().regex(/^svc_man_[0-9A-Za-z]+$/),
  coh_application_key: z.string().regex(/^svc_app_[0-9A-Za-z]+$/),
  /** null: claimed, does not expire. */
  expires_at: z.iso.datetime({ offset: true }).nullable(),
  tenant_lifecycle: z.enum(['ephemeral', 'claimed']),
  /** Any name, not only today's profiles: the file may be newer than the program that reads it. */
  runtime_profile: z.string().regex(/^[a-z0-9.-]+$/),
})

export type Credentials = z.infer<typeof Credentials>

export type CredentialsRead =
  | { readonly ok: true; readonly credentials: Credentials }
  | { readonly ok: false; readonly problem: string }

const HEADER = [
  '# Credentials of this project. Keep them secret: anyone who has this file can manage the project.',
  '# Keep the file mode 0600 (chmod 600 .service), list it in .gitignore, and never commit it.',
]

const FIELDS = Object.keys(Credentials.shape) as readonly (keyof Credentials)[]

/** Throws on a value that could not be read back, such as one with a line break. */
export const writeCredentialsFile = (credentials: Credentials): string =>
  credentialsText(Credentials.parse(credentials))

/** Unchecked, for examples: the first check of a schema takes as long as loading ten modules. */
export const credentialsText = (credentials: Credentials): string =>
  `${[...HEADER, ...FIELDS.map((field) => `${field}=${credentials[field] ?? ''}`)].join('\n')}\n`

/**
 * Reads the output of `writeCredentialsFile`; tolerates changed line endings and added lines. A problem names the line
 * or field and never its value, because problems end up in logs and conversations.
 */
export function readCredentialsFile(text: string): CredentialsRead {
  const values = new Map<string, string>()
  for (const [index, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) {
      continue
    }
    const equals = line.indexOf('=')
    if (equals < 1) {
      return invalid(`Line ${index + 1} is not of the form "key=value".`)
    }
    const key = line.slice(0, equals).trimEnd()
    // Choosing one of two values could act on the wrong tenant.
    if (values.has(key)) {
      return invalid(
        `Line ${index + 1} repeats a key that an earlier line has. Remove one of them.`,
      )
    }
    values.set(key, line.slice(equals + 1).trimStart())
  }

  const missing = FIELDS.filter((field) => !values.has(field))
  if (missing.length > 0) {
    return invalid(`The file has no ${missing.join(', ')}. Download it again.`)
  }

  const fields = FIELDS.map((field) => [field, values.get(field)] as const)
  const read = Credentials.safeParse(
    Object.fromEntries(
      fields.map(([field, value]) => [
        field,
        field === 'expires_at' && value === '' ? null : value,
      ]),
    ),
  )
  if (read.success) {
    return { ok: true, credentials: read.data }
  }
  const wrong = new Set(read.error.issues.map((issue) => String(issue.path[0])))
  return invalid(
    `The file has a value that is not valid: ${[...wrong].join(', ')}. Download it again.`,
  )
}

const invalid = (problem: string): CredentialsRead => ({ ok: false, problem })
