import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { ApiError, Unavailable } from '../domain/api-error.ts'
import {
  type ClientDocument,
  type ClientDocuments,
  readClientMetadata,
} from '../domain/oauth/client.ts'
import { readBody } from './keep-alive-fetch.ts'
import { askPublicHttps, type TestNetwork } from './public-https.ts'

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

interface CachedDocument {
  readonly document: Promise<ClientDocument>
  until: number
}

/** Client ID Metadata Documents (draft-ietf-oauth-client-id-metadata-document): fetches, validates and caches them. */
export function clientDocuments(options: {
  readonly now: () => number
  readonly https?: TestNetwork
}): ClientDocuments {
  const { now, https } = options
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

  return {
    async read(clientId, addressKey) {
      const known = cached.get(clientId)
      if (known !== undefined && known.until > now()) {
        return known.document
      }
      countFetch(addressKey)
      cached.delete(clientId)
      // Evicts the oldest entry; one that is in use is fetched again.
      const [oldest] = cached.size >= CACHED_MAX ? cached.keys() : []
      if (oldest !== undefined) {
        cached.delete(oldest)
      }
      const fetched = fetchDocument(clientId, https)
      // Concurrent requests share one fetch.
      const entry: CachedDocument = {
        document: fetched.then(({ document }) => document),
        until: now() + INVALID_MS,
      }
      cached.set(clientId, entry)
      const { document, freshMs } = await fetched
      entry.until = now() + freshMs
      return document
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

async function fetchDocument(
  clientId: string,
  https: TestNetwork | undefined,
): Promise<{ readonly document: ClientDocument; readonly freshMs: number }> {
  try {
    const request = {
      method: 'GET',
      headers: { Accept: 'application/json' },
      deadline: AbortSignal.timeout(TIMEOUT_MS),
      read: (response: IncomingMessage) => readBody(response, DOCUMENT_MAX_BYTES),
    } as const
    const { status, headers, body } = await askPublicHttps(new URL(clientId), request, {
      network: https,
    })
    const document = status === 200 ? validate(clientId, headers, body.toString()) : unreadable()
    return {
      document,
      freshMs: document.ok ? freshnessOf(headers['cache-control'] ?? '') : INVALID_MS,
    }
  } catch {
    // Prevents probing of private networks: every failure has the same error, so it does not reveal what a name resolves to.
    return { document: unreadable(), freshMs: INVALID_MS }
  }
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
  const maxAge = Number(/(?:^|[\s,])max-age=(\d{1,9})/i.exec(cacheControl)?.[1] ?? 0)
  return Math.min(Math.max(maxAge * 1_000, FRESH_MIN_MS), FRESH_MAX_MS)
}

const unreadable = (): ClientDocument =>
  invalid(
    'No client description could be read at the address that this client gives as its client_id.',
  )

const invalid = (problem: string): ClientDocument => ({ ok: false, problem })
