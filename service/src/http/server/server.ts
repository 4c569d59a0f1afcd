import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { App } from '../dependencies.ts'
import { type FailRequest, runInRequestContext } from './failed-request.ts'

/** The development provider, which serves some paths on the same port. */
export interface DevProviderMount {
  handles(pathname: string): boolean
  listener(req: IncomingMessage, res: ServerResponse): void
}

/** A handler that runs before the framework, for requests whose framework cost exceeds the cost of the response. */
export interface FastPath {
  matches(req: IncomingMessage): boolean
  /** Responds, or calls `fallThrough` with the body that it has read, so that the framework handles the request. */
  handle(req: IncomingMessage, res: ServerResponse, fallThrough: (body: Buffer) => void): void
}

export interface RequestHandlers {
  readonly app: App
  readonly devProvider: DevProviderMount | null
  readonly fastPaths: readonly FastPath[]
  /** Responds when a handler throws outside the framework. */
  readonly fail: FailRequest
}

export interface HttpServer {
  readonly server: Server
  serve(handlers: RequestHandlers): void
  /** Accepts no new connection, closes idle ones at once, and gives requests in flight ten seconds. */
  drain(): Promise<void>
}

const DRAIN_MS = 10_000
const IDLE_CHECK_MS = 50

/**
 * The HTTP server and its limits on header size, request duration and connections. They bound the memory and the sockets
 * that unauthenticated clients can hold (slowloris); a legitimate request is small and arrives within seconds.
 */
export function httpServer(): HttpServer {
  const openResponses = new Set<ServerResponse>()
  let draining = false
  let handle: RequestListener = (_req, res) => {
    res.writeHead(503, { 'Retry-After': '1' }).end()
  }
  const trackResponse = (res: ServerResponse): void => {
    openResponses.add(res)
    res.once('close', () => {
      openResponses.delete(res)
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
      const frameworkListener = getRequestListener(app.fetch)
      const route: RequestListener = (req, res) => {
        trackResponse(res)
        // Prevents host confusion with a proxy that used the other Host header (RFC 9112, section 3.2).
        if (hasDuplicateHost(req)) return void res.writeHead(400, { Connection: 'close' }).end()
        runInRequestContext(req, res, () => {
          if (devProvider?.handles(pathOf(req))) devProvider.listener(req, res)
          else void frameworkListener(req, res)
        })
      }
      handle = (req, res) => {
        try {
          const fastPath = draining ? undefined : fastPaths.find((each) => each.matches(req))
          if (fastPath === undefined) return route(req, res)
          fastPath.handle(req, res, (body) => {
            // The Hono adapter reads `rawBody` when the stream has already been consumed.
            Object.assign(req, { rawBody: body })
            route(req, res)
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
      // Otherwise a client that keeps its connection alive would delay `close` until the deadline.
      for (const res of openResponses) res.shouldKeepAlive = false
      server.closeIdleConnections()
      // Fast-path responses are not tracked, so their connections are closed by polling once they are idle.
      const idleCheck = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS)
      const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
      await closed
      clearInterval(idleCheck)
      clearTimeout(timer)
    },
  }
}

const pathOf = (req: IncomingMessage): string => (req.url ?? '/').split('?', 1)[0] ?? '/'

const hasDuplicateHost = ({ rawHeaders }: IncomingMessage): boolean => {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') hosts++
  return hosts > 1
}
