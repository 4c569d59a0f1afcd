import {
  CSV,
  type ExportedUser,
  exportUsers as exportUsersEndpoint,
  type ImportResult,
  importUsers as importUsersEndpoint,
  NDJSON,
} from '@gatehouse/contract'
import type { UserRecord } from '../../../domain/sessions/user.ts'
import { exportUsers } from '../../../operations/users/export-users.ts'
import { importUsers, requireImport } from '../../../operations/users/import-users.ts'
import { keyAuthor } from '../../callers/author.ts'
import type { App, HttpDependencies } from '../../dependencies.ts'
import { mountForManagementKey } from '../../mount-endpoint.ts'
import { rejectCompression } from '../../request/body.ts'
import { metadataView, userView } from '../../views.ts'
import { streamedText } from '../streamed-text.ts'
import { csvLine } from './csv.ts'
import { readImportLines } from './import-lines.ts'

export function userTransferRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mountForManagementKey(app, deps, exportUsersEndpoint, async ({ query }, c, tenant, key) => {
    const { first, rest } = await exportUsers(ctx, tenant, keyAuthor(c, key))
    const { type, head, line } = FORMATS[query.format]
    const write = (users: readonly UserRecord[]): string => users.map((user) => line(exportedView(user))).join('')

    async function* chunks(): AsyncGenerator<string> {
      yield head + write(first)
      for await (const page of rest) yield write(page)
    }
    c.header('Content-Disposition', `attachment; filename="users.${query.format}"`)
    return streamedText(c, type, chunks())
  })

  mountForManagementKey(app, deps, importUsersEndpoint, async (_input, c, tenant, key) => {
    rejectCompression(c)
    await requireImport(ctx, tenant)
    const lines = await readImportLines(c, importUsersEndpoint.bodyMaxBytes)
    const results = await importUsers(ctx, tenant, lines, keyAuthor(c, key))
    const countOf = (result: ImportResult['result']): number => results.filter((each) => each.result === result).length
    const [created, existing] = [countOf('created'), countOf('exists')]
    return { created, existing, failed: results.length - created - existing, results }
  })
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
