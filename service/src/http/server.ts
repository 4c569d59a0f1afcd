import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { App } from './surface.ts'

/** A neighbour on the same port: the development Google. */
export interface Neighbour {
  handles(pathname: string): boolean
  listener(req: IncomingMessage, res: ServerResponse): void
}

/**
 * The HTTP server and the limits of the process itself: how much a stranger may send, how slowly, and how many at
 * once. A request is small; whoever needs longer than this to send one is not a client.
 */
export function httpServer(): { server: Server; serve(app: App, neighbour: Neighbour | null): void } {
  let answer: RequestListener = (_req, res) => {
    res.writeHead(503, { 'Retry-After': '1' }).end()
  }
  const server = createServer(
    {
      maxHeaderSize: 16 * 1_024,
      headersTimeout: 10_000,
      requestTimeout: 15_000,
      keepAliveTimeout: 30_000,
      connectionsCheckingInterval: 2_000,
    },
    (req, res) => answer(req, res),
  )
  server.maxHeadersCount = 100
  server.maxConnections = 10_000
  return {
    server,
    serve(app, neighbour) {
      const own = getRequestListener(app.fetch)
      answer = (req, res) => {
        if (neighbour?.handles(pathOf(req))) neighbour.listener(req, res)
        else void own(req, res)
      }
    },
  }
}

const pathOf = (req: IncomingMessage): string => (req.url ?? '/').split('?', 1)[0] ?? '/'
