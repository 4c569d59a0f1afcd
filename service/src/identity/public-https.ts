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

/** The addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly { readonly address: string; readonly family: number }[]>

export interface PublicHttps {
  readonly resolve?: Resolve
  /** Tests bring one that leads to a server of theirs. */
  readonly agent?: Agent
  readonly timeoutMs: number
  readonly maxBytes: number
}

const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true })

/**
 * One GET to an address that a stranger named. It reaches the public internet or nothing: the name is resolved once,
 * every address it has must be public, and the connection goes to one of those, so a name that answers differently the
 * second time gains nothing. No redirect is followed, and neither time nor size is the stranger's to choose.
 */
export function getFromPublicHttps(url: URL, options: PublicHttps): Promise<PublicResponse> {
  // Node connects to a literal address without asking anybody, so it is refused before.
  if (url.protocol !== 'https:' || isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) {
    return Promise.reject(new Error('not a name on the public internet'))
  }
  const deadline = AbortSignal.timeout(options.timeoutMs)
  return new Promise((resolve, reject) => {
    const asked = request(
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
    rejectWithoutResponse(asked, reject, deadline)
    asked.end()
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
  // Leaving the loop by throwing destroys the answer, and with it the connection.
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > maxBytes) throw new Error('the answer is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
