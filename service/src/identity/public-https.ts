import { lookup } from 'node:dns/promises'
import { type ClientRequest, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { type Agent, request } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isLoopback } from '../domain/callbacks/host.ts'
import { isPublicAddress } from '../domain/network/public-url.ts'
import { rejectWithoutResponse } from './keep-alive-fetch.ts'

/** A response whose body was read with `PublicHttps.read`. */
interface PublicResponse<Body> {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Body
}

/** Resolves a host name to all its addresses. */
export type Resolve = (hostname: string) => Promise<readonly { readonly address: string; readonly family: number }[]>

/** Resolves the TXT records of a name, each in its parts. */
export type ResolveTxt = (name: string) => Promise<readonly (readonly string[])[]>

/** How tests connect to a local server. */
export interface TestNetwork {
  readonly resolve?: Resolve
  readonly agent?: Agent
  readonly resolveTxt?: ResolveTxt
}

interface PublicRequest<Body> {
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly deadline: AbortSignal
  /** Must bound what it reads. */
  read(response: IncomingMessage): Body | Promise<Body>
}

const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true })

/**
 * Sends a request to a URL that a client chose. Prevents SSRF and DNS rebinding: the name is resolved once, every address
 * must be public, and the connection uses one of those addresses. No redirect is followed; time and size are bounded.
 */
export function askPublicHttps<Body>(
  url: URL,
  asked: PublicRequest<Body>,
  network: TestNetwork = {},
): Promise<PublicResponse<Body>> {
  // Prevents a bypass of the lookup check: Node connects to a literal IP address without calling `lookup`.
  if (url.protocol !== 'https:' || isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) {
    return Promise.reject(new Error('not a name on the public internet'))
  }
  const guarded = { agent: network.agent ?? false, lookup: publicLookup(network.resolve ?? systemResolve) }
  return ask(request(url, { ...guarded, ...optionsOf(asked) }), asked)
}

/** The same with http to this machine, for a service that itself is reached by loopback only. */
export function askLoopback<Body>(url: URL, asked: PublicRequest<Body>): Promise<PublicResponse<Body>> {
  if (url.protocol !== 'http:' || !isLoopback(url)) return Promise.reject(new Error('not a URL of this machine'))
  return ask(httpRequest(url, { agent: false, ...optionsOf(asked) }), asked)
}

const optionsOf = ({ method, deadline, headers }: PublicRequest<unknown>) => ({
  method,
  signal: deadline,
  headers: { 'Accept-Encoding': 'identity', 'User-Agent': 'gatehouse', ...headers },
})

function ask<Body>(outgoing: ClientRequest, asked: PublicRequest<Body>): Promise<PublicResponse<Body>> {
  return new Promise((resolve, reject) => {
    outgoing.on('response', (response) => {
      Promise.resolve(asked.read(response)).then(
        (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        reject,
      )
    })
    rejectWithoutResponse(outgoing, reject, asked.deadline)
    outgoing.end(asked.body)
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

/** Rejects a larger body. */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<string> {
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

/**
 * The part of `fetch` that an OpenID client needs, to hosts that an owner chose: every request goes through the guard
 * against SSRF. `loopback`: http to this machine as well, for a service that itself is reached by loopback only.
 */
export function publicFetch(
  maxBytes: number,
  { loopback, network = {} }: { readonly loopback: boolean; readonly network?: TestNetwork | undefined },
): typeof globalThis.fetch {
  return async (input, { method, headers, body, signal } = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const request = {
      method: method === 'POST' ? ('POST' as const) : ('GET' as const),
      headers: Object.fromEntries(new Headers(headers)),
      ...(body === undefined || body === null ? {} : { body: String(body) }),
      deadline: signal ?? AbortSignal.timeout(10_000),
      read: (response: Parameters<typeof readBody>[0]) => readBody(response, maxBytes),
    }
    const isLocal = loopback && url.protocol === 'http:'
    const response = await (isLocal ? askLoopback(url, request) : askPublicHttps(url, request, network))
    const type = response.headers['content-type']
    return new Response(response.body === '' ? null : response.body, {
      status: response.status,
      headers: type === undefined ? {} : { 'Content-Type': type },
    })
  }
}
