import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { HealthChecks } from '../health.ts'
import { allowsHost, type HostRule, hostRefused } from './allowed-host.ts'
import { type Drain, drainServer } from './drain.ts'
import { type FailRequest, runInRequestContext } from './failed-request.ts'

/** A fetch in web-standard types. It resolves to a response for API errors too. */
export type WebFetch = (request: Request) => Promise<Response>

/** The development provider, which serves some paths on the same port. */
export interface DevProviderMount {
  handles(pathname: string): boolean
  listener(req: IncomingMessage, res: ServerResponse): void
  readonly fetch: WebFetch
}

/** A handler that runs before the framework, for requests whose framework cost exceeds the cost of the response. */
export interface FastPath {
  matches(req: IncomingMessage): boolean
  /** Responds, or calls `fallThrough` with the body that it has read, so that the framework handles the request. */
  handle(req: IncomingMessage, res: ServerResponse, fallThrough: (body: Buffer) => void): void
}

interface RequestHandlers {
  /** The routes of the framework. Called when the first request needs them. */
  readonly routes: () => Promise<{ readonly listener: RequestListener }>
  readonly health: HealthChecks
  readonly hostRule: HostRule
  readonly devProvider: DevProviderMount | null
  readonly fastPaths: readonly FastPath[]
  /** Responds when a handler throws outside the framework. */
  readonly fail: FailRequest
}

export interface HttpServer {
  readonly server: Server
  serve(handlers: RequestHandlers): void
  /** Stops without a failed request behind a proxy (`drain.ts`); requests in flight get ten seconds. */
  drain(how: Drain): Promise<void>
}

interface HttpServerOptions {
  /** How long an idle connection stays open. */
  readonly keepAliveMs: number
}

/**
 * The HTTP server and its limits on header size, request duration and connections. They bound the memory and the sockets
 * that unauthenticated clients can hold (slowloris); a legitimate request is small and arrives within seconds.
 */
export function httpServer({ keepAliveMs }: HttpServerOptions): HttpServer {
  const openResponses = new Set<ServerResponse>()
  let isPortClosed = false
  let handle: RequestListener = (_req, res) => {
    res.writeHead(503, { 'Retry-After': '1' }).end()
  }
  const trackResponse = (res: ServerResponse): void => {
    openResponses.add(res)
    res.once('close', () => openResponses.delete(res))
    if (isPortClosed) {
      res.shouldKeepAlive = false
    }
  }
  const server = createServer(
    {
      maxHeaderSize: 16 * 1_024,
      headersTimeout: 10_000,
      requestTimeout: 15_000,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: 2_000,
    },
    (req, res) => handle(req, res),
  )
  server.maxHeadersCount = 100
  server.maxConnections = 10_000
  return {
    server,
    serve({ routes, health, hostRule, devProvider, fastPaths, fail }) {
      let framework = (req: IncomingMessage, res: ServerResponse): unknown =>
        routes()
          .then(({ listener }) => {
            framework = listener
            return listener(req, res)
          })
          .catch((error: unknown) => fail(req, res, error))
      const route: RequestListener = (req, res) => {
        trackResponse(res)
        // Prevents host confusion with a proxy that used the other Host header (RFC 9112, section 3.2).
        if (hasDuplicateHost(req)) {
          return void res.writeHead(400, { Connection: 'close' }).end()
        }
        runInRequestContext(req, res, () => {
          const path = pathOf(req)
          if (health(req, res, path)) {
            return
          }
          if (devProvider?.handles(path)) {
            devProvider.listener(req, res)
          } else {
            void framework(req, res)
          }
        })
      }
      handle = (req, res) => {
        try {
          if (!allowsHost(req.headers.host, hostRule)) {
            return refuseHost(res, hostRule)
          }
          // Fast-path responses keep their connection alive.
          const fastPath = isPortClosed ? undefined : fastPaths.find((each) => each.matches(req))
          if (fastPath === undefined) {
            return route(req, res)
          }
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
    drain: ({ portClosed, ...how }) =>
      drainServer(server, {
        ...how,
        portClosed() {
          isPortClosed = true
          for (const res of openResponses) {
            res.shouldKeepAlive = false
          }
          portClosed()
        },
      }),
  }
}

function refuseHost(res: ServerResponse, rule: HostRule): void {
  res.writeHead(403, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' })
  res.end(hostRefused(rule))
}

const pathOf = (req: IncomingMessage): string => (req.url ?? '/').split('?', 1)[0] ?? '/'

const hasDuplicateHost = ({ rawHeaders }: IncomingMessage): boolean => {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === 'host') {
      hosts++
    }
  }
  return hosts > 1
}
