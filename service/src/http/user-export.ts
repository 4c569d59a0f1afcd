import { CSV, ExportedUser, NDJSON } from '@gatehouse-auth/contract'
import type { UserIdentity, UserRecord } from '../domain/users/user.ts'
import type { ListedUsers } from '../operations/users/users.ts'
import type { Call } from './dependencies.ts'
import { iso, metadataView, userView } from './event-views.ts'
import { streamedText } from './streamed-text.ts'

/** Streams an export as a file. */
export function exportedUsers(
  c: Call,
  { first, rest }: ListedUsers<UserRecord>,
  format: ExportFormat,
): Response {
  const { type, head, line } = FORMATS[format]
  const write = (users: readonly UserRecord[]): string =>
    users.map((user) => line(exportedView(user))).join('')

  async function* chunks(): AsyncGenerator<string> {
    yield head + write(first)
    for await (const page of rest) {
      yield write(page)
    }
  }
  c.header('Content-Disposition', `attachment; filename="users.${format}"`)
  return streamedText(c, type, chunks())
}

const exportedView = (user: UserRecord): ExportedUser => ({
  ...userView(user),
  issuer: user.issuer,
  subject: user.subject,
  blocked: user.blockedAt !== null,
  metadata: metadataView(user.metadata),
  claims: user.claims,
  identities: user.identities.length === 1 ? [] : user.identities.map(exportedIdentity),
})

const exportedIdentity = ({
  issuer,
  subject,
  email,
  name,
  picture,
  pinned,
  lastSeen,
}: UserIdentity) => ({
  issuer,
  subject,
  email,
  name,
  picture,
  pinned,
  last_seen: iso(lastSeen),
})

/** One record of RFC 4180. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cellOf).join(',')}\r\n`

/** Prevents CSV injection: a spreadsheet runs a cell that starts with one of these as a formula. */
const FORMULA = /^[=+\-@\t\r]/

function cellOf(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const COLUMNS = Object.keys(ExportedUser.shape) as (keyof ExportedUser)[]

function cell(value: ExportedUser[keyof ExportedUser]): string {
  if (value === null) {
    return ''
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const FORMATS = {
  ndjson: {
    type: NDJSON,
    head: '',
    line: (user: ExportedUser): string => `${JSON.stringify(user)}\n`,
  },
  csv: {
    type: `${CSV}; charset=utf-8; header=present`,
    head: csvLine(COLUMNS),
    line: (user: ExportedUser): string => csvLine(COLUMNS.map((name) => cell(user[name]))),
  },
}

type ExportFormat = keyof typeof FORMATS

export const isExportFormat = (text: string): text is ExportFormat => Object.hasOwn(FORMATS, text)
