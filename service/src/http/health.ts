import type { App } from './dependencies.ts'

/** Why this process should not be sent traffic, if there is a reason. */
export type Readiness = () => Promise<readonly string[]>

export function healthRoutes(app: App, readiness: Readiness): void {
  /** Alive: the process answers. */
  app.get('/healthz', (c) => {
    c.set('route', '/healthz')
    c.header('Cache-Control', 'no-store')
    return c.json({ status: 'ok' })
  })

  /** May take traffic: the database answers, revocations are up to date, and we are not on our way out. */
  app.get('/readyz', async (c) => {
    c.set('route', '/readyz')
    c.header('Cache-Control', 'no-store')
    const reasons = await readiness()
    return reasons.length === 0 ? c.json({ status: 'ready' }) : c.json({ status: 'unavailable', reasons }, 503)
  })
}
