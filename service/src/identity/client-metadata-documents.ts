import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { ApiError, Unavailable } from '../domain/api-error.ts'
import {
  type ClientDocument,
  type ClientDocuments,
  readClientMetadata,
} from '../domain/oauth/client.ts'
import { readBody } from './keep-alive-fetch.ts'
import { askPublicHttps, isTlsError, NoPublicAddress, type TestNetwork } from './public-https.ts'
import { loggable, ProviderFault } from './sign-in-error.ts'

/** Fetches that one client address may cause a minute, and all of them together. */
const FETCHES_PER_MINUTE_PER_ADDRESS = 10
const FETCHES_PER_MINUTE = 120
const TIMEOUT_MS = 3_000
const DOCUMENT_MAX_BYTES = 10 * 1_024
const CACHED_MAX = 1_000
const MINUTE_MS = 60_000
/** A valid document is cached for its max-age, but at least five minutes and at most a day. */
const FRESH_MIN_MS = 5 * MINUTE_MS
const FRESH_MAX_MS = 24 * 60 * MINUTE_MS
/** An invalid document is fetched again after one minute. */
const INVALID_MS = MINUTE_MS

/** A valid document stays in use for this long after it expired, while its site can't be reached or has a failure. */
const STALE_MS = 24 * 60 * MINUTE_MS

type ValidDocument = Extract<ClientDocument, { readonly ok: true }>

/** What a site responded, and until when it is not asked again. */
type Fetched =
  | { readonly outcome: 'valid'; readonly document: ValidDocument; readonly freshMs: number }
  | { readonly outcome: 'invalid'; readonly problem: string }
  /** It says nothing about the document. */
  | { readonly outcome: 'unreachable'; readonly problem: string; readonly cause: unknown }

interface CachedDocument {
  readonly document: Promise<ClientDocument>
  until: number
  /** The last valid document, and until when it may be used although its site can't be reached. */
  valid: { readonly document: ValidDocument; readonly staleUntil: number } | null
}

/** Client ID Metadata Documents (draft-ietf-oauth-client-id-metadata-document): fetches, validates and caches them. */
export function clientDocuments(options: {
  readonly now: () => number
  readonly warn: (message: string, error?: unknown) => void
  readonly https?: TestNetwork
}): ClientDocuments {
  const { now, warn, https } = options
  const cached = new Map<string, CachedDocument>()
  let minute = newMinute(0)

  /**
   * Prevents abuse as a proxy: bounds the requests that clients can trigger to other sites. Each address has its own share,
   * so that one of them cannot keep the clients of the others from being read.
   */
  function countFetch(addressKey: string): void {
    const start = now() - (now() % MINUTE_MS)
    if (minute.start !== start) {
      minute = newMinute(start)
    }
    const ofAddress = minute.byAddress.get(addressKey) ?? 0
    if (ofAddress === FETCHES_PER_MINUTE_PER_ADDRESS) {
      throw tooMany(start + MINUTE_MS - now())
    }
    if (minute.fetches === FETCHES_PER_MINUTE) {
      throw new Unavailable('too many client metadata documents were requested', {
        retryAfterSeconds: 60,
      })
    }
    minute.fetches += 1
    minute.byAddress.set(addressKey, ofAddress + 1)
  }

  function removeOldest(): void {
    const [oldest] = cached.keys()
    if (cached.size >= CACHED_MAX && oldest !== undefined) {
      cached.delete(oldest)
    }
  }

  /** Changes the entry to what was fetched, and returns the document that applies now. */
  function store(entry: CachedDocument, fetched: Fetched): ClientDocument {
    if (fetched.outcome === 'valid') {
      entry.until = now() + fetched.freshMs
      entry.valid = { document: fetched.document, staleUntil: entry.until + STALE_MS }
      return fetched.document
    }

    if (fetched.outcome === 'invalid') {
      entry.until = now() + INVALID_MS
      entry.valid = null
      warn(`a client metadata document was rejected: ${fetched.problem}`)
      return invalid(fetched.problem)
    }

    entry.until = now() + INVALID_MS
    const { valid } = entry
    if (valid === null || valid.staleUntil <= now()) {
      warn(`a client metadata document was not read: ${fetched.problem}`, fetched.cause)
      return unreachable(fetched.problem)
    }

    entry.until = Math.min(entry.until, valid.staleUntil)
    warn(
      `a client metadata document was not read: ${fetched.problem}; the description that was read before stays in use`,
      fetched.cause,
    )
    return valid.document
  }

  return {
    async read(clientId, addressKey) {
      const known = cached.get(clientId)
      if (known !== undefined && known.until > now()) {
        return known.document
      }

      countFetch(addressKey)
      // The newest entry is the last one. An evicted entry that is in use is fetched again.
      cached.delete(clientId)
      removeOldest()

      // Concurrent requests share one fetch.
      const entry: CachedDocument = {
        document: fetchDocument(clientId, https).then((fetched) => store(entry, fetched)),
        until: now() + INVALID_MS,
        valid: known?.valid ?? null,
      }
      cached.set(clientId, entry)
      return entry.document
    },
  }
}

const newMinute = (start: number) => ({ start, fetches: 0, byAddress: new Map<string, number>() })

function tooMany(leftMs: number): ApiError {
  const limit = FETCHES_PER_MINUTE_PER_ADDRESS
  return new ApiError(
    'rateLimited',
    `One source may bring ${limit} new client metadata documents a minute.`,
    {
      details: { window: 'minute', limit, left: 0 },
      retryAfterSeconds: Math.ceil(leftMs / 1_000),
    },
  )
}

async function fetchDocument(clientId: string, network: TestNetwork | undefined): Promise<Fetched> {
  const request = {
    method: 'GET',
    headers: { Accept: 'application/json' },
    deadline: AbortSignal.timeout(TIMEOUT_MS),
    read: (response: IncomingMessage) => readBody(response, DOCUMENT_MAX_BYTES),
  } as const
  try {
    const url = new URL(clientId)
    const { status, headers, body } = await askPublicHttps(url, request, { network })
    if (status !== 200) {
      return unexpectedStatus(status)
    }
    const document = validate(clientId, headers, body.toString())
    if (!document.ok) {
      return { outcome: 'invalid', problem: document.problem }
    }
    const freshMs = freshnessOf(headers['cache-control'] ?? '')
    return { outcome: 'valid', document, freshMs }
  } catch (error) {
    if (error instanceof ProviderFault && error.code === 'answer_too_large') {
      return {
        outcome: 'invalid',
        problem: 'The description of this client is larger than 10 KiB.',
      }
    }
    return { outcome: 'unreachable', problem: connectionProblem(error), cause: loggable(error) }
  }
}

/** 429 and 5xx are failures of the site. With any other status, it says that the document isn't there. */
function unexpectedStatus(status: number): Fetched {
  const problem = `its site responded with status ${status}, not 200`
  return status === 429 || status >= 500
    ? { outcome: 'unreachable', problem, cause: undefined }
    : { outcome: 'invalid', problem: unreadable(problem) }
}

/** Continues the sentence of `unreadable`. The log has the library's error beside it. */
function connectionProblem(error: unknown): string {
  if (error instanceof NoPublicAddress) {
    return 'the host name in its client_id does not resolve to a public address'
  }
  const { name, code = '' } = error as NodeJS.ErrnoException
  if (name === 'TimeoutError') {
    return 'there was no complete response within three seconds'
  }
  if (code === 'ECONNREFUSED') {
    return 'its site refused the connection'
  }
  if (isTlsError(error)) {
    return 'its site has no valid certificate'
  }
  return 'the connection to its site failed'
}

function validate(clientId: string, headers: IncomingHttpHeaders, body: string): ClientDocument {
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(headers['content-type'] ?? '')) {
    return invalid('The description of this client is not served as application/json.')
  }
  const metadata = parse(body)
  if (typeof metadata !== 'object' || metadata === null) {
    return invalid('The description of this client is not JSON.')
  }
  const {
    client_id: id,
    client_secret: secret,
    token_endpoint_auth_method: method,
  } = metadata as Record<string, unknown>
  // Prevents impersonation: a document is valid only for the URL it was fetched from (draft, section 4).
  if (id !== clientId) {
    return invalid('The client_id in the description of this client is not its own address.')
  }
  if (secret !== undefined || (method !== undefined && method !== 'none')) {
    return invalid(
      'Clients are public here: no client_secret, and token_endpoint_auth_method none or absent.',
    )
  }
  const parsed = readClientMetadata(metadata)
  return parsed.ok
    ? { ok: true, client: { id: clientId, ...parsed.registration } }
    : invalid(parsed.problem)
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

function freshnessOf(cacheControl: string): number {
  const [, maxAgeSeconds = '0'] = /(?:^|[\s,])max-age=(\d{1,9})/i.exec(cacheControl) ?? []
  const maxAgeMs = Number(maxAgeSeconds) * 1_000
  return Math.min(Math.max(maxAgeMs, FRESH_MIN_MS), FRESH_MAX_MS)
}

const unreadable = (problem: string): string =>
  `The description of this client could not be read: ${problem}.`

const unreachable = (problem: string): ClientDocument =>
  invalid(
    `${unreadable(problem)} Try again in a minute. If it stays like this, the operator of this service can let it reach the site, or set CLIENT_METADATA_DOCUMENTS=off, so that clients register instead.`,
  )

const invalid = (problem: string): ClientDocument => ({ ok: false, problem })
