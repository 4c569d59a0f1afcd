import { lookup } from 'node:dns/promises'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { type Agent, request } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from '../domain/network/public-address.ts'
import { rejectWithoutResponse } from './settle-request.ts'

export interface PublicResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Resolves a host name to all its addresses. */
export type Resolve = (hostname: string) => Promise<readonly { readonly address: string; readonly family: number }[]>

export interface PublicHttps {
  readonly resolve?: Resolve
  /** Tests pass one that connects to a local server. */
  readonly agent?: Agent
  readonly timeoutMs: number
  readonly maxBytes: number
}

const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true })

/**
 * Sends a GET to a URL that an unauthenticated client chose. Prevents SSRF and DNS rebinding: the name is resolved once, every
 * address must be public, and the connection uses one of those addresses. No redirect is followed; time and size are bounded.
 */
export function getFromPublicHttps(url: URL, options: PublicHttps): Promise<PublicResponse> {
  // Prevents a bypass of the lookup check: Node connects to a literal IP address without calling `lookup`.
  if (url.protocol !== 'https:' || isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) {
    return Promise.reject(new Error('not a name on the public internet'))
  }
  const deadline = AbortSignal.timeout(options.timeoutMs)
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        method: 'GET',
        agent: options.agent ?? false,
        lookup: publicLookup(options.resolve ?? systemResolve),
        signal: deadline,
        headers: { Accept: 'application/json', 'Accept-Encoding': 'identity', 'User-Agent': 'gatehouse' },
      },
      (response) => {
        readBody(response, options.maxBytes).then(
          (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
          reject,
        )
      },
    )
    rejectWithoutResponse(outgoing, reject, deadline)
    outgoing.end()
  })
}

const publicLookup =
  (resolve: Resolve): LookupFunction =>
  (hostname, { all }, done) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses
        if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
          done(new Error('not an address on the public internet'), '', 0)
        } else if (all) done(null, [...addresses])
        else done(null, first.address, first.family)
      },
      (error) => done(error, '', 0),
    )
  }

async function readBody(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  // Throwing out of the loop destroys the response and its connection.
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > maxBytes) throw new Error('the response is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
