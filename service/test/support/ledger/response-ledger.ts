import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** One kind of response: its endpoint, status and error code. */
export interface RecordedResponse {
  readonly method: string
  /** The OpenAPI path, `/api/social-login/users/{id}`; null outside the OpenAPI document, such as most pages. */
  readonly path: string | null
  readonly status: number
  /** See `errorOf`. */
  readonly code: string | null
}

/** The environment variable with the folder for the responses of a run (scripts/test.ts). Without it nothing is recorded. */
export const RESPONSE_LEDGER = 'RESPONSE_LEDGER'

const recorded = new Set<string>()

/** Appends each kind of response once, immediately: the test runner kills its processes at the end. */
export function recordResponse(response: RecordedResponse): void {
  const folder = process.env[RESPONSE_LEDGER]
  if (folder === undefined) {
    return
  }
  const line = JSON.stringify(response)
  if (recorded.has(line)) {
    return
  }
  recorded.add(line)
  appendFileSync(path.join(folder, `${process.pid}.jsonl`), `${line}\n`)
}

/** The responses of all processes of a run. */
export function readRecordedResponses(folder: string): RecordedResponse[] {
  return readdirSync(folder)
    .flatMap((file) => readFileSync(path.join(folder, file), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RecordedResponse)
}

/** The code of an error in a redirect, which is documented separately from the same error in a body. */
export const inRedirect = (error: string): string => `redirect with ${error}`

/** The error code in our format, in OAuth's, or in the redirect URL; null for a success or a page. */
export function errorOf(status: number, headers: Headers, text: string): string | null {
  if (status >= 400) {
    return codeIn(text)
  }
  const location = URL.parse(headers.get('location') ?? '', 'http://localhost')
  const error = location?.searchParams.get('error') ?? null
  return error === null ? null : inRedirect(error)
}

function codeIn(text: string): string | null {
  try {
    const { error } = (JSON.parse(text) ?? {}) as { error?: unknown }
    if (typeof error === 'string') {
      return error
    }
    const { code } = (error ?? {}) as { code?: unknown }
    return typeof code === 'string' ? code : null
  } catch {
    return null
  }
}
