import type { Call } from '../dependencies.ts'

/**
 * Redirects the browser with 303, so that a form post becomes a GET and its body is not sent on (RFC 9700, section 4.12).
 * The body is empty and nothing is cached, so a URL with tokens appears in the Location header only. COOP is `unsafe-none`,
 * so that an app that opened this window as a popup keeps its handle; a redirect has no document to isolate.
 */
export function redirectTo(c: Call, location: string): Response {
  return c.body(null, 303, {
    Location: location,
    'Cache-Control': 'no-store',
    Pragma: 'no-cache',
    'X-Robots-Tag': 'noindex',
    'Cross-Origin-Opener-Policy': 'unsafe-none',
  })
}
