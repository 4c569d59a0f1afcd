import type { Call } from '../dependencies.ts'

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
