import type { App, Call, HttpDependencies } from '../dependencies.ts'
import { notFound } from '../discovery/not-found.ts'
import { CONTENT_TYPE } from './exposition.ts'

const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/
/** What proxies add. Whoever comes through one is not on this machine, wherever the socket is from. */
const FORWARDED = ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip']

/** For a collector on the same machine. For everybody else there is nothing at this address. */
export function metricsRoutes(app: App, deps: HttpDependencies, text: () => string): void {
  app.get('/metrics', (c) => {
    if (!isFromThisMachine(c)) return notFound(deps, c)
    c.set('route', '/metrics')
    c.header('Cache-Control', 'no-store')
    return c.body(text(), 200, { 'Content-Type': CONTENT_TYPE })
  })
}

const isFromThisMachine = (c: Call): boolean =>
  LOOPBACK.test(c.env.incoming.socket.remoteAddress ?? '') &&
  !FORWARDED.some((name) => c.req.header(name) !== undefined)
