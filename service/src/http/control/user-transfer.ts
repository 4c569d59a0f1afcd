import * as endpoints from '@gatehouse-auth/contract'
import { ApiError } from '../../domain/api-error.ts'
import type { ImportedRow, UserIdentity, UserRecord } from '../../domain/users/user.ts'
import { type ImportLine, importUsers, requireImport } from '../../operations/users/import-users.ts'
import { exportUsers, type ListedUsers } from '../../operations/users/users.ts'
import { keyAuthor } from '../callers/author.ts'
import { managementKey } from '../callers/bearer.ts'
import type { App, Call, HttpDependencies } from '../dependencies.ts'
import { iso, metadataView, userView } from '../event-views.ts'
import { mountForManagementKey } from '../mount-endpoint.ts'
import { malformed, parseJson, readText, rejectCompression } from '../request/body.ts'

export function userTransferRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mountForManagementKey(app, deps, endpoints.exportUsers, async ({ query }, c, tenant, key) => {
    return exportedUsers(c, await exportUsers(ctx, tenant, keyAuthor(c, key)), query.format)
  })

  mountForManagementKey(app, deps, endpoints.importUsers, async (_input, c, tenant, key) => {
    rejectCompression(c)
    await requireImport(ctx, tenant)
    const lines = await readImportLines(c, endpoints.importUsers.bodyMaxBytes)
    // Again: the body may arrive after a suspension or the end of the key.
    await requireImport(ctx, (await managementKey(ctx, c)).tenant)
    const results = await importUsers(ctx, tenant, lines, keyAuthor(c, key))
    const countOf = (result: endpoints.ImportResult['result']): number =>
      results.filter((each) => each.result === result).length
    const [created, existing] = [countOf('created'), countOf('exists')]
    return { created, existing, failed: results.length - created - existing, results }
  })
}

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

/**
 * Streams text chunk by chunk, so that a response of any length needs the memory of one chunk. An error while streaming
 * aborts the connection, so that a truncated response never looks complete.
 */
export function streamedText(c: Call, type: string, chunks: AsyncIterable<string>): Response {
  const pages = chunks[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = await pages.next()
      if (chunk.done) {
        controller.close()
      } else {
        controller.enqueue(encoder.encode(chunk.value))
      }
    },
    async cancel() {
      await pages.return?.()
    },
  })
  return c.body(stream, 200, { 'Content-Type': type })
}

const exportedView = (user: UserRecord): endpoints.ExportedUser => ({
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

const COLUMNS = Object.keys(endpoints.ExportedUser.shape) as (keyof endpoints.ExportedUser)[]

function cell(value: endpoints.ExportedUser[keyof endpoints.ExportedUser]): string {
  if (value === null) {
    return ''
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const FORMATS = {
  ndjson: {
    type: endpoints.NDJSON,
    head: '',
    line: (user: endpoints.ExportedUser): string => `${JSON.stringify(user)}\n`,
  },
  csv: {
    type: `${endpoints.CSV}; charset=utf-8; header=present`,
    head: csvLine(COLUMNS),
    line: (user: endpoints.ExportedUser): string =>
      csvLine(COLUMNS.map((name) => cell(user[name]))),
  },
}

type ExportFormat = keyof typeof FORMATS

export const isExportFormat = (text: string): text is ExportFormat => Object.hasOwn(FORMATS, text)

/** The lines of an import. A line that is no user is a problem of its own; empty lines are skipped at the end only. */
async function readImportLines(c: Call, maxBytes: number): Promise<ImportLine[]> {
  const text = await readText(c, endpoints.NDJSON, maxBytes)
  const lines = text.replace(/[\r\n]+$/, '').split('\n')
  if (text.trim() === '') {
    throw malformed('Send one JSON object per line.')
  }
  if (lines.length > endpoints.IMPORT_MAX_ROWS) {
    throw malformed(`Send at most ${endpoints.IMPORT_MAX_ROWS} lines in one request.`)
  }
  return lines.map(lineOf)
}

function lineOf(text: string): ImportLine {
  try {
    const read = endpoints.ImportedUser.safeParse(parseJson(text), { error: endpoints.issueText })
    if (read.success) {
      return { row: rowOf(read.data) }
    }
    const [issue] = read.error.issues
    const path = issue?.path.join('.') ?? ''
    return { problem: `${path === '' ? 'line' : path}: ${issue?.message ?? 'invalid'}` }
  } catch (error) {
    if (error instanceof ApiError) {
      return { problem: error.message }
    }
    throw error
  }
}

function rowOf(user: endpoints.ImportedUser): ImportedRow {
  const {
    issuer,
    subject,
    email,
    name = null,
    picture = null,
    blocked = false,
    metadata,
    claims = {},
  } = user
  return {
    issuer,
    subject,
    email,
    name,
    picture,
    firstSeen: timeOf(user.first_seen),
    lastSeen: timeOf(user.last_seen),
    blocked,
    metadata: metadata === undefined ? null : JSON.stringify(metadata),
    claims,
    identities: (user.identities ?? []).map(({ last_seen, ...identity }) => ({
      ...identity,
      lastSeen: Date.parse(last_seen),
    })),
  }
}

const timeOf = (iso: string | undefined): number | undefined =>
  iso === undefined ? undefined : Date.parse(iso)
