import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { App } from '../dependencies.ts'
import { type FailRequest, runInRequestContext } from './failed-request.ts'

/** A neighbour on the same port: the development Google. */
export interface DevProviderMount {
  handles(pathname: string): boolean
  listener(req: IncomingMessage, res: ServerResponse): void
}

/** What is answered on the server itself, because the framework would cost more than the answer. */
export interface FastPath {
  matches(req: IncomingMessage): boolean
  /** Answers, or hands on what it has read. */
  handle(req: IncomingMessage, res: ServerResponse, fallThrough: (body: Buffer) => void): void
}

export interface Served {
  readonly app: App
  readonly devProvider: DevProviderMount | null
  readonly fastPaths: readonly FastPath[]
  /** Responds when a handler throws outside the framework. */
  readonly fail: FailRequest
}

export interface HttpServer {
  readonly server: Server
  serve(served: Served): void
  /** Takes no new connection. Requests in flight get ten seconds; connections that only wait are closed at once. */
  drain(): Promise<void>
}

const DRAIN_MS = 10_000
const LOOK_FOR_IDLE_MS = 50

/**
 * The HTTP server and the limits of the process itself: how much a stranger may send, how slowly, and how many at
 * once. A request is small; whoever needs longer than this to send one is not a client.
 */
export function httpServer(): HttpServer {
  const unfinished = new Set<ServerResponse>()
  let draining = false
  let handle: RequestListener = (_req, res) => {
    res.writeHead(503, { 'Retry-After': '1' }).end()
  }
  const watch = (res: ServerResponse): void => {
    unfinished.add(res)
    res.once('close', () => {
      unfinished.delete(res)
      if (draining) server.closeIdleConnections()
    })
    if (draining) res.shouldKeepAlive = false
  }
  const server = createServer(
    {
      maxHeaderSize: 16 * 1_024,
      headersTimeout: 10_000,
      requestTimeout: 15_000,
      keepAliveTimeout: 30_000,
      connectionsCheckingInterval: 2_000,
    },
    (req, res) => handle(req, res),
  )
  server.maxHeadersCount = 100
  server.maxConnections = 10_000
  return {
    server,
    serve({ app, devProvider, fastPaths, fail }) {
      const own = getRequestListener(app.fetch)
      const ordinarily: RequestListener = (req, res) => {
        watch(res)
        if (namesTwoHosts(req)) return void res.writeHead(400, { Connection: 'close' }).end()
        runInRequestContext(req, res, () => {
          if (devProvider?.handles(pathOf(req))) devProvider.listener(req, res)
          else void own(req, res)
        })
      }
      handle = (req, res) => {
        try {
          const first = draining ? undefined : fastPaths.find((each) => each.matches(req))
          if (first === undefined) return ordinarily(req, res)
          first.handle(req, res, (body) => {
            // Where the adapter looks for a body that somebody else has read.
            Object.assign(req, { rawBody: body })
            ordinarily(req, res)
          })
        } catch (error) {
          fail(req, res, error)
        }
      }
    },
    async drain() {
      draining = true
      if (!server.listening) return
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      // A connection that is kept alive for a next request would hold us up as long as its client likes.
      for (const res of unfinished) res.shouldKeepAlive = false
      server.closeIdleConnections()
      // What is answered ahead is not watched one by one; its connection is idle a moment later.
      const looking = setInterval(() => server.closeIdleConnections(), LOOK_FOR_IDLE_MS)
      const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
      await closed
      clearInterval(looking)
      clearTimeout(timer)
    },
  }
}

const pathOf = (req: IncomingMessage): string => (req.url ?? '/').split('?', 1)[0] ?? '/'

/** Which one is meant? A proxy in front may have believed the other (RFC 9112, section 3.2). */
const namesTwoHosts = ({ rawHeaders }: IncomingMessage): boolean => {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') hosts++
  return hosts > 1
}
