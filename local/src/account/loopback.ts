import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const PATH = '/callback'

/** Registered without a port, which stands for any: we take whichever is free (RFC 8252, section 7.3). */
export const REDIRECT_URI = `http://127.0.0.1${PATH}`

export interface Callback {
  readonly parameters: URLSearchParams
  /** What the person reads in their browser. */
  say(title: string, text: string): void
}

export interface Loopback {
  readonly redirectUri: string
  /** The first answer that carries this state. Others are strays, or somebody guessing, and are turned away. */
  callback(state: string): Promise<Callback>
  close(): void
}

/** A listener for one redirect, on this machine only. */
export async function loopback(): Promise<Loopback> {
  const server = createServer()
  await new Promise<void>((ready, failed) => {
    server.once('error', failed)
    server.listen(0, '127.0.0.1', ready)
  })
  const { port } = server.address() as AddressInfo
  return {
    redirectUri: `http://127.0.0.1:${port}${PATH}`,
    callback: (state) =>
      new Promise((resolve) => {
        server.on('request', (request, response) => {
          const { pathname, searchParams } = new URL(request.url ?? '/', REDIRECT_URI)
          const say = (title: string, text: string, status = 200): void => {
            const headers = { 'Content-Type': 'text/html; charset=utf-8', Connection: 'close', ...HEADERS }
            response.writeHead(status, headers).end(page(title, text))
          }
          if (request.method !== 'GET' || pathname !== PATH) return say('Nothing here', 'Go back to the terminal.', 404)
          if (searchParams.get('state') !== state) return say('Not expected', 'Start again from the terminal.', 400)
          resolve({ parameters: searchParams, say })
        })
      }),
    close() {
      server.close()
      // What the browser was told is still on its way; anything else that holds on is let go.
      setTimeout(() => server.closeAllConnections(), 1_000).unref()
    },
  }
}

const HEADERS = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
}

/** Our own words only: nothing that came with the request is in them. */
const page = (title: string, text: string): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>body{font:1.1rem/1.5 system-ui,sans-serif;margin:20vh auto;max-width:26rem;padding:0 1rem;color-scheme:light dark}</style>
<h1>${title}</h1><p>${text}</p></html>
`
