import type { MiddlewareHandler } from 'hono'
import type { Env } from '../dependencies.ts'

const BANNER =
  '<p class="notice caution" role="note" lang="en" dir="ltr">Development sign-in: anyone who can open this page can sign in as anyone. Don\u2019t use it for real users.</p>'

/** Puts the warning on every HTML page, whichever route wrote it, so that no new page can forget it. */
export const developmentBanner: MiddlewareHandler<Env> = async (c, next) => {
  await next()
  if (!c.res.headers.get('content-type')?.startsWith('text/html')) return
  const page = await c.res.text()
  c.res = new Response(
    page.replace(/<body[^>]*>/, (body) => `${body}${BANNER}`),
    c.res,
  )
}
