import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const PATH = '/callback'

/** Registered without a port: the server accepts any port on the loopback address (RFC 8252, section 7.3). */
export const REDIRECT_URI = `http://127.0.0.1${PATH}`

export interface Callback {
  readonly parameters: URLSearchParams
  /** Sends the page that the browser shows. */
  respond(title: string, text: string): void
}

export interface Loopback {
  readonly redirectUri: string
  /** Resolves with the first callback that has this state. Requests with another state get 400. */
  callback(state: string): Promise<Callback>
  close(): void
}

/** Listens on a free loopback port for one OAuth redirect. */
export async function listenOnLoopback(): Promise<Loopback> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    redirectUri: `http://127.0.0.1:${port}${PATH}`,
    callback: (state) =>
      new Promise((resolve) => {
        server.on('request', (request, response) => {
          // Not parsed as a URL: any program on this machine may send a target that is none, such as `//`.
          const [pathname, query = ''] = (request.url ?? '').split(/\?(.*)/s)
          const parameters = new URLSearchParams(query)
          const respond = (title: string, text: string, status = 200): void => {
            const headers = {
              'Content-Type': 'text/html; charset=utf-8',
              Connection: 'close',
              ...HEADERS,
            }
            response.writeHead(status, headers).end(page(title, text))
          }
          if (request.method !== 'GET' || pathname !== PATH) {
            return respond('Not found', 'Go back to the terminal.', 404)
          }
          if (parameters.get('state') !== state) {
            return respond('Unexpected sign-in', 'Start again from the terminal.', 400)
          }
          resolve({ parameters, respond })
        })
      }),
    close() {
      server.close()
      // Leaves time to send the last page, then closes idle keep-alive connections.
      setTimeout(() => server.closeAllConnections(), 1_000).unref()
    },
  }
}

const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
}

/** `title` and `text` are constants, never request data: they are not escaped. */
const page = (title: string, text: string): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>body{font:1.1rem/1.5 system-ui,sans-serif;margin:20vh auto;max-width:26rem;padding:0 1rem;color-scheme:light dark}</style>
<h1>${title}</h1><p>${text}</p></html>
`
