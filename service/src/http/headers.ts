import { API_VERSION, HEADERS } from '@gatehouse/contract'
import type { Rate } from '../domain/limits/rate.ts'
import type { Call } from './surface.ts'

/** On every answer, pages included. Tokens travel in callback addresses, so no page of ours ever sends a referrer. */
export function baseHeaders(c: Call, baseUrl: string): void {
  c.header('X-Content-Type-Options', 'nosniff')
  c.header('Referrer-Policy', 'no-referrer')
  c.header('Cross-Origin-Opener-Policy', 'same-origin')
  c.header('X-Frame-Options', 'DENY')
  if (baseUrl.startsWith('https:')) c.header('Strict-Transport-Security', 'max-age=31536000; includeSubDomains')
}

/** On every answer under /api and /edge (spec, Versioning 1). */
export function apiHeaders(c: Call): void {
  c.header(HEADERS.apiVersion, API_VERSION)
  c.header('Cache-Control', 'no-store')
  c.header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'")
}

/**
 * Chromium applies `form-action` to every redirect that follows a form post, so a page whose button ends in an app
 * names that app's origin; `https:` lets the app redirect onwards. Without it the button silently does nothing.
 */
export function pageHeaders(c: Call, formActions: readonly string[] = []): void {
  const formAction = ["'self'", ...formActions].join(' ')
  c.header('Cache-Control', 'no-store')
  c.header('X-Robots-Tag', 'noindex')
  c.header(
    'Content-Security-Policy',
    `default-src 'none'; style-src 'self'; img-src 'self'; form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'`,
  )
}

const WINDOW_SECONDS = { minute: 60, month: 31 * 24 * 3_600 } as const

/** RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers). */
export function rateHeaders(rate: Rate, now: number): Record<string, string> {
  const window = rate.window === 'lifetime' ? '' : `;w=${WINDOW_SECONDS[rate.window]}`
  const reset = rate.resetsAt === null ? '' : `;t=${Math.max(0, Math.ceil((rate.resetsAt - now) / 1_000))}`
  return {
    [HEADERS.rateLimitPolicy]: `"${rate.window}";q=${rate.limit}${window}`,
    [HEADERS.rateLimit]: `"${rate.window}";r=${rate.left}${reset}`,
  }
}
