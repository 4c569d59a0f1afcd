import type { Call } from '../dependencies.ts'

/**
 * A link checker, or a browser that loads pages ahead: nobody is there yet, so nothing is counted or kept, and no
 * redirect is followed on their behalf. 503 is what browsers take as "not ahead of time, please".
 */
export function isPrefetch(c: Call): boolean {
  const purpose = `${c.req.header('sec-purpose') ?? ''} ${c.req.header('purpose') ?? ''} ${c.req.header('x-moz') ?? ''}`
  return c.req.method === 'HEAD' || /prefetch|prerender|preview/i.test(purpose)
}
