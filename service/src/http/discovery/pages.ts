import { REFUSALS } from '@gatehouse/contract'
import { errorReferencePage } from '../pages/error-reference.ts'
import { homePage } from '../pages/home.ts'
import { mark } from '../pages/mark.ts'
import { stylesheet } from '../pages/stylesheet.ts'
import { page } from '../respond.ts'
import type { App, Surface } from '../surface.ts'

/** What people read: the front page, the meaning of each error code, and what these pages are drawn with. */
export function publicPages(app: App, { ctx, development }: Surface): void {
  app.get('/', (c) => {
    c.set('route', '/')
    return page(c, homePage({ baseUrl: ctx.baseUrl, development }))
  })

  const codes = Object.entries(REFUSALS).map(([code, entry]) => ({ code, ...entry }))
  app.get('/docs/errors', (c) => {
    c.set('route', '/docs/errors')
    return page(c, errorReferencePage({ codes }))
  })

  for (const asset of [stylesheet, mark]) {
    app.get(asset.path, (c) => {
      c.set('route', '/assets')
      c.header('ETag', asset.etag)
      c.header('Cache-Control', 'public, max-age=86400')
      if (c.req.header('if-none-match') === asset.etag) return c.body(null, 304)
      return c.body(asset.body, 200, { 'Content-Type': asset.contentType })
    })
  }
}
