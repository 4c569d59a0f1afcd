import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App, HandledRequest } from './dependencies.ts'
import { baseHeaderList, sendJson } from './headers.ts'
import { requestId } from './request/request-id.ts'
import type { FailRequest } from './server/failed-request.ts'

/** The reasons why this process must not receive traffic; empty when it is ready. */
export type Readiness = () => Promise<readonly string[]>

const CHECKS = {
  /** Liveness: the event loop responds. */
  '/healthz': async () => ({ status: 200, body: { status: 'ok' } }) as const,
  /** Readiness: the database responds, revocations are up to date, and the process is not shutting down. */
  '/readyz': async (readiness: Readiness) => {
    const reasons = await readiness()
    if (reasons.length === 0) {
      return { status: 200, body: { status: 'ready' } } as const
    }
    return { status: 503, body: { status: 'unavailable', reasons } } as const
  },
}

export function healthRoutes(app: App, readiness: Readiness): void {
  for (const [path, check] of Object.entries(CHECKS)) {
    app.get(path, async (c) => {
      c.set('route', path)
      c.header('Cache-Control', 'no-store')
      const { status, body } = await check(readiness)
      return c.json(body, status)
    })
  }
}

/** Responds to a health check; false: the request is another one. */
export type HealthChecks = (req: IncomingMessage, res: ServerResponse, path: string) => boolean

/**
 * Responds to health checks without the framework, which a start doesn't load, and which rejects haproxy's HTTP/1.0 without a
 * Host header.
 */
export function healthChecks(
  baseUrl: string,
  readiness: Readiness,
  { record, fail }: { record(request: HandledRequest): void; fail: FailRequest },
): HealthChecks {
  const headers = [...baseHeaderList(baseUrl), ['Cache-Control', 'no-store']].flat()
  return (req, res, route) => {
    if (!['GET', 'HEAD'].includes(req.method ?? '') || !Object.hasOwn(CHECKS, route)) {
      return false
    }
    const started = performance.now()
    const respond = async (): Promise<void> => {
      const id = requestId()
      const { status, body } = await CHECKS[route as keyof typeof CHECKS](readiness)
      sendJson(res, status, id, body, headers)
      const ms = Math.round((performance.now() - started) * 10) / 10
      record({
        requestId: id,
        method: req.method ?? '',
        route,
        status,
        ms,
        ownedTenantId: undefined,
      })
    }
    respond().catch((error: unknown) => fail(req, res, error, route))
    return true
  }
}
