import * as endpoints from '@gatehouse-auth/contract'
import { ApiError } from '../../domain/api-error.ts'
import type { ImportedRow } from '../../domain/users/user.ts'
import { type ImportLine, importUsers, requireImport } from '../../operations/users/import-users.ts'
import { exportUsers } from '../../operations/users/users.ts'
import { keyAuthor } from '../callers/author.ts'
import { managementKey } from '../callers/bearer.ts'
import type { App, Call, HttpDependencies } from '../dependencies.ts'
import { mountForManagementKey } from '../mount-endpoint.ts'
import { malformed, parseJson, readText, rejectCompression } from '../request/body.ts'
import { exportedUsers } from '../user-export.ts'

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
