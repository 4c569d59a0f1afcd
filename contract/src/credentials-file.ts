import { z } from 'zod'

/** In the root of a project; holds what its agent needs to manage the tenant (spec, Credentials file). */
export const CREDENTIALS_FILENAME = '.service'

/** The fields of the file, in the order they are written. They have the names of the MCP arguments they are copied to. */
export const Credentials = z.strictObject({
  base_url: z.string().regex(/^https?:\/\/[^\s/]\S*$/),
  tenant_id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)+$/),
  coh_management_key: z.string().regex(/^svc_man_[0-9A-Za-z]+$/),
  coh_application_key: z.string().regex(/^svc_app_[0-9A-Za-z]+$/),
  /** Null once the tenant is claimed: it does not expire. */
  expires_at: z.iso.datetime({ offset: true }).nullable(),
  tenant_lifecycle: z.enum(['ephemeral', 'claimed']),
  /** Any name, not the ones known today: a file may be younger than the program that reads it. */
  runtime_profile: z.string().regex(/^[a-z0-9.-]+$/),
})

export type Credentials = z.infer<typeof Credentials>

export type CredentialsRead =
  | { readonly ok: true; readonly credentials: Credentials }
  | { readonly ok: false; readonly problem: string }

const HEADER = [
  '# Credentials of this project. Keep them secret: whoever has this file manages the project.',
  '# Keep the file mode 0600 (chmod 600 .service), list it in .gitignore, and never commit it.',
]

const FIELDS = Object.keys(Credentials.shape) as readonly (keyof Credentials)[]

/** Throws when a value could not be read back, such as one with a line break in it. */
export function writeCredentialsFile(credentials: Credentials): string {
  const checked = Credentials.parse(credentials)
  const lines = FIELDS.map((field) => `${field}=${checked[field] ?? ''}`)
  return `${[...HEADER, ...lines].join('\n')}\n`
}

/**
 * Reads what `writeCredentialsFile` wrote, also after an editor changed its line ends or someone added lines. A problem
 * names the line or field and never its value, because problems end up in logs and chats.
 */
export function readCredentialsFile(text: string): CredentialsRead {
  const values = new Map<string, string>()
  for (const [index, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) continue
    const equals = line.indexOf('=')
    if (equals < 1) return refused(`Line ${index + 1} is not of the form "key=value".`)
    const key = line.slice(0, equals).trimEnd()
    // Two keys for one project: which one is meant cannot be known, and guessing could act on the wrong tenant.
    if (values.has(key)) return refused(`Line ${index + 1} repeats a key that an earlier line has. Remove one of them.`)
    values.set(key, line.slice(equals + 1).trimStart())
  }

  const missing = FIELDS.filter((field) => !values.has(field))
  if (missing.length > 0) return refused(`The file has no ${missing.join(', ')}. Download it again.`)

  const fields = FIELDS.map((field) => [field, values.get(field)] as const)
  const read = Credentials.safeParse(
    Object.fromEntries(fields.map(([field, value]) => [field, field === 'expires_at' && value === '' ? null : value])),
  )
  if (read.success) return { ok: true, credentials: read.data }
  const wrong = new Set(read.error.issues.map((issue) => String(issue.path[0])))
  return refused(`The file has a value that is not valid: ${[...wrong].join(', ')}. Download it again.`)
}

const refused = (problem: string): CredentialsRead => ({ ok: false, problem })
