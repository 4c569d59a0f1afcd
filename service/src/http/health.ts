import type { App } from './dependencies.ts'

/** The reasons why this process must not receive traffic; empty when it is ready. */
export type Readiness = () => Promise<readonly string[]>

export const HEALTH_PATHS: readonly string[] = ['/healthz', '/readyz']

export function healthRoutes(app: App, readiness: Readiness): void {
  /** Liveness: the event loop responds. */
  app.get('/healthz', (c) => {
    c.set('route', '/healthz')
    c.header('Cache-Control', 'no-store')
    return c.json({ status: 'ok' })
  })

  /** Readiness: the database responds, revocations are up to date, and the process is not shutting down. */
  app.get('/readyz', async (c) => {
    c.set('route', '/readyz')
    c.header('Cache-Control', 'no-store')
    const reasons = await readiness()
    return reasons.length === 0 ? c.json({ status: 'ready' }) : c.json({ status: 'unavailable', reasons }, 503)
  })
}
