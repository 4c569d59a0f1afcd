import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { App } from '../dependencies.ts'

/** Web-standard, and always answered: a refusal is a response too. */
export type WebFetch = (request: Request) => Promise<Response>

/** What shares our addresses: the development Google. */
export interface DevProviderFetch {
  handles(pathname: string): boolean
  readonly fetch: WebFetch
}

/**
 * The service as a function from request to response, without a socket.
 *
 * Such a call has no address, so it is counted under the one source that all callers without an address share
 * (`domain/network/client-address.ts`), and `X-Forwarded-For` is not believed. It is not "this machine" either: whoever puts
 * this function behind a server of their own would otherwise open /metrics to strangers.
 */
export function inProcess(app: App, devProvider: DevProviderFetch | null): WebFetch {
  // A socket that was never connected: what is read from it is what is so.
  const incoming = new IncomingMessage(new Socket())
  const nobody = { incoming, outgoing: new ServerResponse(incoming) }
  return async (request) => {
    const { pathname, host } = new URL(request.url)
    if (devProvider?.handles(pathname)) return devProvider.fetch(request)
    // On the wire every request names its host; in a Request that somebody made it is only in the address.
    const headers = new Headers(request.headers)
    headers.set('Host', host)
    return app.fetch(new Request(request, { headers }), nobody)
  }
}
