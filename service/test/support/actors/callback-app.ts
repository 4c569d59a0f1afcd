import type { RequestListener } from 'node:http'
import type { TestContext } from 'node:test'
import { listen } from '../transport/listen.ts'

export interface CallbackApp {
  /** The callback of an app, or the redirect URI of a client. */
  readonly callback: string
  /** The page that the browser shows at the end. */
  readonly page: string
  /** The parameters of each request to the callback. */
  readonly received: URLSearchParams[]
}

/**
 * An app on loopback, for a real browser. It shows a page with this title; with `anotherOrigin`, its callback redirects to
 * that page on another origin. Only requests to the callback are recorded: a browser may also request /favicon.ico.
 */
export async function startCallbackApp(
  t: Pick<TestContext, 'after'>,
  title: string,
  { anotherOrigin = false } = {},
): Promise<CallbackApp> {
  const showPage: RequestListener = (req, res) =>
    req.url === '/favicon.ico'
      ? res.writeHead(204).end()
      : res
          .writeHead(200, { 'Content-Type': 'text/html' })
          .end(`<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1>`)
  const received: URLSearchParams[] = []
  const { port: pagePort } = await listen(t, showPage)
  const page = `http://localhost:${pagePort}/page`
  const { port } = await listen(t, (req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://127.0.0.1')
    if (pathname !== '/callback') {
      return showPage(req, res)
    }
    received.push(searchParams)
    return anotherOrigin ? res.writeHead(302, { Location: page }).end() : showPage(req, res)
  })
  const callback = `http://127.0.0.1:${port}/callback`
  return { callback, page: anotherOrigin ? page : callback, received }
}
