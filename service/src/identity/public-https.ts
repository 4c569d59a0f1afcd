import { Resolver } from 'node:dns/promises'
import {
  type ClientRequest,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http'
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
export type Resolve = (
  hostname: string,
) => Promise<readonly { readonly address: string; readonly family: number }[]>

/** How tests connect to local servers. `servers` are name servers, asked for what the two functions leave out. */
export interface TestNetwork {
  readonly resolve?: Resolve
  readonly agent?: Agent
  /** Resolves the TXT records of a name, each in its parts. */
  readonly resolveTxt?: (name: string) => Promise<readonly (readonly string[])[]>
  readonly servers?: readonly string[]
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

/**
 * A resolver for one lookup, because `cancel` ends all queries of a resolver. Prevents name servers that do not respond from
 * delaying other lookups: c-ares occupies no thread, getaddrinfo one of libuv's four for each name.
 */
export function dnsResolver({ servers }: TestNetwork = {}): Resolver {
  const resolver = new Resolver({ timeout: 500, tries: 4 })
  if (servers !== undefined) {
    resolver.setServers(servers)
  }
  setTimeout(() => resolver.cancel(), 5_000).unref()
  return resolver
}

/** A name server may respond to one query only: the other one has 1.5 seconds more, enough for c-ares to send it again. */
async function resolveByDns(hostname: string, network: TestNetwork): ReturnType<Resolve> {
  const resolver = dnsResolver(network)
  const queries = [resolver.resolve4(hostname), resolver.resolve6(hostname)]
  await Promise.any(queries).catch(() => queries[0])
  setTimeout(() => resolver.cancel(), 1_500).unref()
  const found = await Promise.all(queries.map((query) => query.catch((): string[] => [])))
  return found.flat().map((address) => ({ address, family: isIP(address) }))
}

/**
 * The host has no address that a request may be sent to. One error for a name without an address, a name that can't be
 * resolved and a private address, so that what is shown of it does not reveal which names a private network has.
 */
export class NoPublicAddress extends Error {
  override readonly name = 'NoPublicAddress'
}

/**
 * Sends a request to a URL that a client chose. Prevents SSRF and DNS rebinding: a connection resolves the name once, every
 * address must be public, and it uses one of those addresses. No redirect is followed; time and size are bounded.
 */
export function askPublicHttps<Body>(
  url: URL,
  asked: PublicRequest<Body>,
  { loopback = false, network = {} }: Reach = {},
): Promise<PublicResponse<Body>> {
  const options = {
    method: asked.method,
    signal: asked.deadline,
    headers: { 'Accept-Encoding': 'identity', 'User-Agent': 'gatehouse', ...asked.headers },
  }
  if (loopback && url.protocol === 'http:' && isLoopback(url)) {
    return ask(() => httpRequest(url, { ...options, agent: false }), asked)
  }

  // Prevents a bypass of the lookup check: Node connects to a literal IP address without calling `lookup`.
  const isAddress = isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0
  if (url.protocol !== 'https:' || isLoopback(url) || isAddress) {
    return Promise.reject(new NoPublicAddress('not a name on the public internet'))
  }
  const agent = network.agent ?? false
  const lookup = publicLookup(network)
  return ask(() => request(url, { ...options, agent, lookup }), asked)
}

function ask<Body>(
  send: () => ClientRequest,
  asked: PublicRequest<Body>,
): Promise<PublicResponse<Body>> {
  return new Promise((resolve, reject) => {
    const outgoing = send()
    let hasResponse = false
    outgoing.on('response', (response) => {
      hasResponse = true
      readPublicResponse(response, asked).then(resolve, reject)
    })
    const fail = (error: Error): void => {
      // The error reaches the code that reads the body.
      if (hasResponse) {
        return
      }
      // The server may close a kept connection at any time: that says nothing about a new one.
      if (outgoing.reusedSocket && !asked.deadline.aborted) {
        resolve(ask(send, asked))
      } else {
        reject(error)
      }
    }
    rejectWithoutResponse(outgoing, fail, asked.deadline)
    outgoing.end(asked.body)
  })
}

async function readPublicResponse<Body>(
  response: IncomingMessage,
  { read }: PublicRequest<Body>,
): Promise<PublicResponse<Body>> {
  const body = await read(response)
  return { status: response.statusCode ?? 0, headers: response.headers, body }
}

/** Such an error follows the connection to a public address, so it tells nothing about private networks. */
export const isTlsError = (error: unknown): boolean =>
  /^(?:ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|EPROTO)/.test(
    (error as NodeJS.ErrnoException).code ?? '',
  )

/** Keeps connections for a few seconds after a request, and not more than `max` to all hosts together. */
export class KeptConnections extends Agent {
  readonly #max: number

  constructor(max = 100) {
    super({ keepAlive: true, timeout: IDLE_TIMEOUT_MS })
    this.#max = max
  }

  /** Node closes the connection if this returns false; its types don't say so. */
  override keepSocketAlive(socket: Duplex): boolean {
    let kept = 0
    for (const sockets of Object.values(this.freeSockets)) {
      kept += sockets?.length ?? 0
    }
    return kept < this.#max && (super.keepSocketAlive(socket) as unknown as boolean)
  }
}

const publicLookup =
  (network: TestNetwork): LookupFunction =>
  (hostname, { all }, done) => {
    const lookup = network.resolve?.(hostname) ?? resolveByDns(hostname, network)
    lookup.then(
      (addresses) => {
        const [first] = addresses
        if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
          done(new NoPublicAddress('not an address on the public internet'), '', 0)
        } else if (all) {
          done(null, [...addresses])
        } else {
          done(null, first.address, first.family)
        }
      },
      (cause) => done(new NoPublicAddress('the name cannot be resolved', { cause }), '', 0),
    )
  }

/** The part of `fetch` that an OpenID client needs, to hosts that an owner chose. */
export function publicFetch(maxBytes: number, reach: Reach): ProviderFetch {
  return async (input, { method, headers, body, signal } = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const asked = {
      method: method === 'POST' ? ('POST' as const) : ('GET' as const),
      headers: Object.fromEntries(new Headers(headers)),
      ...(body === undefined || body === null ? {} : { body: String(body) }),
      deadline: signal ?? AbortSignal.timeout(10_000),
      read: (response: IncomingMessage) => readResponse(response, maxBytes),
    }
    const response = await askPublicHttps(url, asked, reach)
    return response.body
  }
}
