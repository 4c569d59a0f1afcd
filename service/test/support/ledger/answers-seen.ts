import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** One kind of answer: what was asked, as it is described, and what came. */
export interface Seen {
  readonly method: string
  /** As OpenAPI writes it, `/api/social-login/users/{id}`; null for what is not described, such as most pages. */
  readonly path: string | null
  readonly status: number
  /** As in `errorOf`. */
  readonly code: string | null
}

/** Where the run keeps its ledger (scripts/test.ts). Without it, as for a single file, nothing is kept. */
export const LEDGER = 'ANSWERS_SEEN'

const noted = new Set<string>()

/** Written at once and not at the end: the processes of a run do not end by themselves. */
export function noteResponse(seen: Seen): void {
  const folder = process.env[LEDGER]
  if (folder === undefined) return
  const line = JSON.stringify(seen)
  if (noted.has(line)) return
  noted.add(line)
  appendFileSync(path.join(folder, `${process.pid}.jsonl`), `${line}\n`)
}

/** What all processes of the run saw. */
export function responsesSeen(folder: string): Seen[] {
  return readdirSync(folder)
    .flatMap((file) => readFileSync(path.join(folder, file), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Seen)
}

/** What an error that travels in a redirect is called here: it is documented apart from one with a body. */
export const inRedirect = (error: string): string => `redirect with ${error}`

/** The name of the error: in our shape, in OAuth's, or in the address it redirects to. null: no error, or a page. */
export function errorOf(status: number, headers: Headers, text: string): string | null {
  if (status >= 400) return codeIn(text)
  const location = URL.parse(headers.get('location') ?? '', 'http://localhost')
  const error = location?.searchParams.get('error') ?? null
  return error === null ? null : inRedirect(error)
}

function codeIn(text: string): string | null {
  try {
    const { error } = (JSON.parse(text) ?? {}) as { error?: unknown }
    if (typeof error === 'string') return error
    const { code } = (error ?? {}) as { code?: unknown }
    return typeof code === 'string' ? code : null
  } catch {
    return null
  }
}
