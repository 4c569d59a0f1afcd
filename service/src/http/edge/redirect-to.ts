import type { Call } from '../dependencies.ts'

/**
 * Sends the browser on. 303, so that a form post becomes a plain visit (RFC 9700, section 4.12); an empty body, so that
 * an address with tokens in it is written in one place only; and nothing of it is cached or passed on. Whoever opened
 * this window for a sign-in still knows it when it comes back: a redirect has no page that would need protecting.
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
