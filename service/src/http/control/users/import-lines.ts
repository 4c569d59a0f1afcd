import { IMPORT_MAX_ROWS, ImportedUser, issueText, NDJSON } from '@gatehouse/contract'
import { ApiError, invalidRequest } from '../../../domain/api-error.ts'
import type { ImportedRow } from '../../../domain/sessions/user.ts'
import type { ImportLine } from '../../../operations/users/import-users.ts'
import type { Call } from '../../dependencies.ts'
import { parseJson, readText } from '../../request/body.ts'

/** The lines of an import. A line that is no user is a problem of its own; empty lines are skipped at the end only. */
export async function readImportLines(c: Call, maxBytes: number): Promise<ImportLine[]> {
  const text = await readText(c, NDJSON, maxBytes)
  const lines = text.replace(/[\r\n]+$/, '').split('\n')
  if (text.trim() === '') throw tooMany('Send one JSON object per line.')
  if (lines.length > IMPORT_MAX_ROWS) throw tooMany(`Send at most ${IMPORT_MAX_ROWS} lines in one request.`)
  return lines.map(lineOf)
}

function lineOf(text: string): ImportLine {
  try {
    const read = ImportedUser.safeParse(parseJson(text), { error: issueText })
    if (read.success) return { row: rowOf(read.data) }
    const [issue] = read.error.issues
    const path = issue?.path.join('.') ?? ''
    return { problem: `${path === '' ? 'line' : path}: ${issue?.message ?? 'invalid'}` }
  } catch (error) {
    if (error instanceof ApiError) return { problem: error.message }
    throw error
  }
}

const timeOf = (iso: string | undefined): number | undefined => (iso === undefined ? undefined : Date.parse(iso))

function rowOf(user: ImportedUser): ImportedRow {
  const { issuer, subject, email, name = null, picture = null, blocked = false, metadata } = user
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
  }
}

const tooMany = (problem: string): ApiError => invalidRequest(problem, [{ path: '', problem }])
