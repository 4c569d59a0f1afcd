import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { App } from '../dependencies.ts'

/** A fetch in web-standard types. It resolves to a response for API errors too. */
export type WebFetch = (request: Request) => Promise<Response>

/** The development provider, which serves paths on the same origin. */
export interface DevProviderFetch {
  handles(pathname: string): boolean
  readonly fetch: WebFetch
}

/**
 * The service as a function from request to response, without a socket.
 *
 * Such a request has no remote address. Rate limits count it under the key that all requests without an address share
 * (`domain/network/client-address.ts`), and `X-Forwarded-For` is ignored. It does not count as loopback either: a server that
 * forwards public traffic to this function would otherwise expose /metrics.
 */
export function inProcessFetch(app: App, devProvider: DevProviderFetch | null): WebFetch {
  // A socket that was never connected has no remote address.
  const incoming = new IncomingMessage(new Socket())
  const bindings = { incoming, outgoing: new ServerResponse(incoming) }
  return async (request) => {
    const { pathname, host } = new URL(request.url)
    if (devProvider?.handles(pathname)) return devProvider.fetch(request)
    // HTTP/1.1 requires a Host header (RFC 9112, section 3.2); a constructed Request has the host in its URL only.
    const headers = new Headers(request.headers)
    headers.set('Host', host)
    return app.fetch(new Request(request, { headers }), bindings)
  }
}
