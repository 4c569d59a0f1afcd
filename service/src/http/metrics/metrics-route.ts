import type { App, Call, HttpDependencies } from '../dependencies.ts'
import { notFound } from '../discovery/not-found.ts'
import { CONTENT_TYPE } from './exposition.ts'

const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/
/** Headers that proxies add. A request with one is not local, even if its socket is a loopback connection. */
const FORWARDED = ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip']

/** Serves metrics to a collector on the same machine; any other client gets 404, which does not reveal the route. */
export function metricsRoutes(app: App, deps: HttpDependencies, text: () => string): void {
  app.get('/metrics', (c) => {
    if (!isLocalRequest(c)) return notFound(deps, c)
    c.set('route', '/metrics')
    c.header('Cache-Control', 'no-store')
    return c.body(text(), 200, { 'Content-Type': CONTENT_TYPE })
  })
}

const isLocalRequest = (c: Call): boolean =>
  LOOPBACK.test(c.env.incoming.socket.remoteAddress ?? '') &&
  !FORWARDED.some((name) => c.req.header(name) !== undefined)
