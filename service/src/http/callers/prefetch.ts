import type { Call } from '../dependencies.ts'

/**
 * A link checker (HEAD) or a browser that prefetches. The user has not clicked yet, so the request counts against no limit,
 * stores nothing and is not redirected. Browsers discard a prefetch that fails with 503.
 */
export function isPrefetch(c: Call): boolean {
  const purpose = `${c.req.header('sec-purpose') ?? ''} ${c.req.header('purpose') ?? ''} ${c.req.header('x-moz') ?? ''}`
  return c.req.method === 'HEAD' || /prefetch|prerender|preview/i.test(purpose)
}
