import { lookup } from 'node:dns/promises'
import { type ClientRequest, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { Duplex } from 'node:stream'
import { isLoopback } from '../domain/callbacks/host.ts'
import { isPublicAddress } from '../domain/network/public-url.ts'
import type { ProviderFetch } from './bounded-fetch.ts'
import { IDLE_TIMEOUT_MS, readResponse, rejectWithoutResponse } from './keep-alive-fetch.ts'

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

export interface Reach {
  /** Also http to this machine, for a service that itself is reached by loopback only. */
  readonly loopback?: boolean
  readonly network?: TestNetwork | undefined
}

const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true })

/**
 * Sends a request to a URL that a client chose. Prevents SSRF and DNS rebinding: a connection resolves the name once, every
 * address must be public, and it uses one of those addresses. No redirect is followed; time and size are bounded.
 */
export function askPublicHttps<Body>(
  url: URL,
  asked: PublicRequest<Body>,
  { loopback = false, network = {} }: Reach = {},
): Promise<PublicResponse<Body>> {
  const { method, deadline, headers } = asked
  const options = {
    method,
    signal: deadline,
    headers: { 'Accept-Encoding': 'identity', 'User-Agent': 'gatehouse', ...headers },
  }
  if (loopback && url.protocol === 'http:' && isLoopback(url)) {
    return ask(() => httpRequest(url, { agent: false, ...options }), asked)
  }
  // Prevents a bypass of the lookup check: Node connects to a literal IP address without calling `lookup`.
  if (url.protocol !== 'https:' || isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) {
    return Promise.reject(new Error('not a name on the public internet'))
  }
  const guarded = { agent: network.agent ?? false, lookup: publicLookup(network.resolve ?? systemResolve) }
  return ask(() => request(url, { ...guarded, ...options }), asked)
}

function ask<Body>(send: () => ClientRequest, asked: PublicRequest<Body>): Promise<PublicResponse<Body>> {
  return new Promise((resolve, reject) => {
    const outgoing = send()
    let answered = false
    outgoing.on('response', (response) => {
      answered = true
      Promise.resolve(asked.read(response)).then(
        (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        reject,
      )
    })
    const fail = (error: Error): void => {
      // What reads the body notices it.
      if (answered) return
      // The server may close a kept connection at any time: that says nothing about a new one.
      if (outgoing.reusedSocket && !asked.deadline.aborted) resolve(ask(send, asked))
      else reject(error)
    }
    rejectWithoutResponse(outgoing, fail, asked.deadline)
    outgoing.end(asked.body)
  })
}

const KEPT_MAX = 100

/** Keeps connections for a few seconds after a request, of all hosts together not more than `max`. */
export class KeptConnections extends Agent {
  readonly #max: number

  constructor(max = KEPT_MAX) {
    super({ keepAlive: true, timeout: IDLE_TIMEOUT_MS })
    this.#max = max
  }

  override keepSocketAlive(socket: Duplex): boolean {
    const kept = Object.values(this.freeSockets).reduce((sum, sockets = []) => sum + sockets.length, 0)
    // Typed as void. Node closes the connection if it returns false.
    return kept < this.#max && (super.keepSocketAlive(socket) as unknown as boolean)
  }
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

/** The part of `fetch` that an OpenID client needs, to hosts that an owner chose. */
export function publicFetch(maxBytes: number, reach: Reach): ProviderFetch {
  return async (input, { method, headers, body, signal } = {}) => {
    const request = {
      method: method === 'POST' ? ('POST' as const) : ('GET' as const),
      headers: Object.fromEntries(new Headers(headers)),
      ...(body === undefined || body === null ? {} : { body: String(body) }),
      deadline: signal ?? AbortSignal.timeout(10_000),
      read: (response: IncomingMessage) => readResponse(response, maxBytes),
    }
    return (await askPublicHttps(new URL(input instanceof Request ? input.url : input), request, reach)).body
  }
}
