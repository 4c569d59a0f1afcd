import { CSV, type ExportedUser, NDJSON } from '@gatehouse/contract'
import type { UserRecord } from '../../../domain/sessions/user.ts'
import type { ListedUsers } from '../../../operations/users/users.ts'
import type { Call } from '../../dependencies.ts'
import { metadataView, userView } from '../../views.ts'
import { streamedText } from '../streamed-text.ts'
import { csvLine } from './csv.ts'

export type ExportFormat = keyof typeof FORMATS

export const isExportFormat = (text: string): text is ExportFormat => Object.hasOwn(FORMATS, text)

/** Streams an export as a file. */
export function exportedUsers(c: Call, { first, rest }: ListedUsers<UserRecord>, format: ExportFormat): Response {
  const { type, head, line } = FORMATS[format]
  const write = (users: readonly UserRecord[]): string => users.map((user) => line(exportedView(user))).join('')

  async function* chunks(): AsyncGenerator<string> {
    yield head + write(first)
    for await (const page of rest) yield write(page)
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
})

const COLUMNS = [
  'id',
  'email',
  'name',
  'picture',
  'first_seen',
  'last_seen',
  'issuer',
  'subject',
  'blocked',
  'metadata',
] as const satisfies readonly (keyof ExportedUser)[]

const cell = (value: ExportedUser[keyof ExportedUser]): string =>
  typeof value === 'object' ? (value === null ? '' : JSON.stringify(value)) : String(value)

const FORMATS = {
  ndjson: { type: NDJSON, head: '', line: (user: ExportedUser): string => `${JSON.stringify(user)}\n` },
  csv: {
    type: `${CSV}; charset=utf-8; header=present`,
    head: csvLine(COLUMNS),
    line: (user: ExportedUser): string => csvLine(COLUMNS.map((name) => cell(user[name]))),
  },
}
