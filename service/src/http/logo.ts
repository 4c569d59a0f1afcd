import type { Logo } from '../domain/brand/brand.ts'
import type { TenantId } from '../domain/ids.ts'
import { readLogo } from '../operations/brand/brand.ts'
import type { App, HttpDependencies } from './dependencies.ts'
import { notFound } from './discovery/not-found.ts'
import { setHeaders } from './headers.ts'
import { pageProblem } from './responses.ts'

const PATH = '/logo/:tenantId/:file'

export const logoPath = (tenantId: TenantId, { hash }: Logo): string =>
  `/logo/${tenantId}/${hash}.png`

/** The path names the content, so it never changes. */
const HEADERS = [
  ['Content-Type', 'image/png'],
  ['Cache-Control', 'public, max-age=31536000, immutable'],
  // Opened as a page of this origin, the file could neither run nor load anything, whatever a browser takes it for.
  ['Content-Security-Policy', "default-src 'none'; sandbox"],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
] as const

/** Serves the logos of apps from this origin: a page loads nothing from third parties. */
export function logoRoutes(app: App, deps: HttpDependencies): void {
  app.get(PATH, async (c) => {
    c.set('route', PATH)
    try {
      const { tenantId, file } = c.req.param()
      const png = file.endsWith('.png')
        ? await readLogo(deps.ctx, tenantId, file.slice(0, -'.png'.length))
        : null
      if (png === null) {
        return notFound(deps, c)
      }
      setHeaders(c, HEADERS)
      return c.body(new Uint8Array(png))
    } catch (error) {
      return pageProblem(deps, c, error)
    }
  })
}
