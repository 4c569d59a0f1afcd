import { ApiError } from '../../domain/api-error.ts'
import type { Call } from '../dependencies.ts'

/**
 * Prevents CSRF: a form post must come from one of the service's own pages. Those pages send no referrer, so browsers send
 * `Origin: null` from them (Fetch, "append a request Origin header"); `Sec-Fetch-Site` then tells same-origin from
 * cross-site. If a browser sends neither header, the CSRF token alone decides.
 */
export function requireSameOrigin(c: Call, baseUrl: string): void {
  const site = c.req.header('sec-fetch-site')
  const origin = c.req.header('origin')
  const foreignSite = site !== undefined && site !== 'same-origin'
  const foreignOrigin =
    origin !== undefined && origin !== 'null' && origin !== new URL(baseUrl).origin
  if (foreignSite || foreignOrigin) {
    throw new ApiError(
      'decisionNotOurs',
      'This decision came from another site. Go back, and press the button on our page.',
    )
  }
}

/** Programs that open a link to show a preview of it or to index it, by the names they send. */
const LINK_PREVIEW =
  /(?<!cu)bot\b|crawler|spider|facebookexternalhit|facebookcatalog|whatsapp\/|skypeuripreview|slack-imgproxy|embedly|iframely|vkshare|snapchat ad|google-(?:inspectiontool|read-aloud)|googleother|bingpreview|yahoo! slurp/i

/**
 * A link checker (HEAD), a browser that prefetches, or a program that previews the link. The user has not clicked yet, so
 * the request counts against no limit, stores nothing and is not redirected. Browsers discard a prefetch that fails with
 * 503.
 */
export function isPrefetch(c: Call): boolean {
  const purpose = `${c.req.header('sec-purpose') ?? ''} ${c.req.header('purpose') ?? ''} ${c.req.header('x-moz') ?? ''}`
  return (
    c.req.method === 'HEAD' ||
    /prefetch|prerender|preview/i.test(purpose) ||
    LINK_PREVIEW.test(c.req.header('user-agent') ?? '')
  )
}
