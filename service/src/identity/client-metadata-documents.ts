import type { IncomingHttpHeaders } from 'node:http'
import type { ClientDocument, ClientDocuments } from '../domain/oauth/client-documents.ts'
import { readClientMetadata } from '../domain/oauth/client-metadata.ts'
import { Unavailable } from '../domain/unavailable.ts'
import { getFromPublicHttps, type PublicHttps } from './public-https.ts'

const FETCHES_A_MINUTE = 60
const REMEMBERED_MAX = 1_000
const MINUTE_MS = 60_000
/** Whatever its site says, a description is believed for at least five minutes and at most a day. */
const FRESH_MIN_MS = 5 * MINUTE_MS
const FRESH_MAX_MS = 24 * 60 * MINUTE_MS
/** Something was wrong with it: asked again a minute later. */
const REFUSED_MS = MINUTE_MS

interface Remembered {
  readonly document: Promise<ClientDocument>
  until: number
}

/** Client ID Metadata Documents (draft-ietf-oauth-client-id-metadata-document): read, judged, and remembered. */
export function clientDocuments(options: {
  readonly now: () => number
  readonly https?: Pick<PublicHttps, 'resolve' | 'agent'>
}): ClientDocuments {
  const { now } = options
  const https: PublicHttps = { timeoutMs: 3_000, maxBytes: 10 * 1_024, ...options.https }
  const remembered = new Map<string, Remembered>()
  let minute = { start: 0, fetches: 0 }

  function countFetch(): void {
    const start = now() - (now() % MINUTE_MS)
    if (minute.start !== start) minute = { start, fetches: 0 }
    if (minute.fetches === FETCHES_A_MINUTE) {
      throw new Unavailable('too many client descriptions were asked for', { retryAfterSeconds: 60 })
    }
    minute.fetches += 1
  }

  return {
    async read(clientId) {
      const known = remembered.get(clientId)
      if (known !== undefined && known.until > now()) return known.document
      countFetch()
      remembered.delete(clientId)
      // The oldest makes room: what is in use is asked for again soon enough.
      const [oldest] = remembered.size >= REMEMBERED_MAX ? remembered.keys() : []
      if (oldest !== undefined) remembered.delete(oldest)
      const fetched = fetchDocument(clientId, https)
      // Whoever asks meanwhile waits for the same answer.
      const entry: Remembered = { document: fetched.then(({ document }) => document), until: now() + REFUSED_MS }
      remembered.set(clientId, entry)
      const { document, freshMs } = await fetched
      entry.until = now() + freshMs
      return document
    },
  }
}

async function fetchDocument(
  clientId: string,
  https: PublicHttps,
): Promise<{ readonly document: ClientDocument; readonly freshMs: number }> {
  try {
    const { status, headers, body } = await getFromPublicHttps(new URL(clientId), https)
    const document = status === 200 ? judge(clientId, headers, body) : unreadable()
    return { document, freshMs: document.ok ? freshFor(headers['cache-control'] ?? '') : REFUSED_MS }
  } catch {
    // One answer for every reason: whether a name leads into a private network is not for strangers to learn here.
    return { document: unreadable(), freshMs: REFUSED_MS }
  }
}

function judge(clientId: string, headers: IncomingHttpHeaders, body: string): ClientDocument {
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(headers['content-type'] ?? '')) {
    return refused('The description of this client is not served as application/json.')
  }
  const metadata = parse(body)
  if (typeof metadata !== 'object' || metadata === null) return refused('The description of this client is not JSON.')
  const {
    client_id: id,
    client_secret: secret,
    token_endpoint_auth_method: method,
  } = metadata as Record<string, unknown>
  if (id !== clientId) return refused('The client_id in the description of this client is not its own address.')
  if (secret !== undefined || (method !== undefined && method !== 'none')) {
    return refused('Clients are public here: no client_secret, and token_endpoint_auth_method none or absent.')
  }
  const read = readClientMetadata(metadata)
  return read.ok ? { ok: true, client: { id: clientId, ...read.registration } } : refused(read.problem)
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

function freshFor(cacheControl: string): number {
  const maxAge = Number(/(?:^|[\s,])max-age=(\d{1,9})/i.exec(cacheControl)?.[1] ?? 0)
  return Math.min(Math.max(maxAge * 1_000, FRESH_MIN_MS), FRESH_MAX_MS)
}

const unreadable = (): ClientDocument =>
  refused('No client description could be read at the address that this client gives as its client_id.')

const refused = (problem: string): ClientDocument => ({ ok: false, problem })
