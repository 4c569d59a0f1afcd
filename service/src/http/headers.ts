import type { ServerResponse } from 'node:http'
import { API_VERSION, HEADERS } from '@gatehouse-auth/contract'
import type { Rate } from '../domain/limits/rate.ts'
import type { Call } from './dependencies.ts'

type HeaderList = readonly (readonly [name: string, value: string])[]

/** On every response, pages included. Callback URLs contain tokens, so `no-referrer` keeps them out of Referer headers. */
export const baseHeaderList = (baseUrl: string): HeaderList => [
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['X-Frame-Options', 'DENY'],
  ...(baseUrl.startsWith('https:')
    ? [['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'] as const]
    : []),
]

/** On every response under /api and /edge (spec, Versioning 1). */
export const API_HEADERS: HeaderList = [
  [HEADERS.apiVersion, API_VERSION],
  ['Cache-Control', 'no-store'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
]

/** Sends JSON without the framework. In `headers` names and values alternate. */
export function sendJson(
  res: ServerResponse,
  status: number,
  id: string,
  body: object,
  headers: string[],
): void {
  const text = JSON.stringify(body)
  const own = [
    HEADERS.requestId,
    id,
    'Content-Type',
    'application/json',
    'Content-Length',
    `${Buffer.byteLength(text)}`,
  ]
  res.writeHead(status, [...own, ...headers]).end(text)
}

/** Links to the next page of a list (RFC 8288), which continues after its last id. */
export function linkNext(c: Call, baseUrl: string, after: number | undefined, query: object): void {
  if (after === undefined) {
    return
  }
  const next = new URLSearchParams(
    Object.entries({ after, ...query }).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]),
  )
  c.header('Link', `<${baseUrl}${c.req.path}?${next}>; rel="next"`)
}

export function setHeaders(c: Call, list: HeaderList): void {
  for (const [name, value] of list) {
    c.header(name, value)
  }
}

/**
 * `formActions` are schemes such as `https:`, for a page whose button leads out of the service. Chromium applies
 * `form-action` to every redirect that follows a form post: with only 'self' the button silently does nothing, and with
 * the app's origin it breaks as soon as the app redirects to another host or port. (`[::1]` can't be written as a host.)
 * The directive doesn't have to pin the destination: the transaction that issues the tokens checks the callback list.
 */
export function pageHeaders(c: Call, formActions: readonly string[] = []): void {
  c.header('Cache-Control', 'no-store')
  c.header('X-Robots-Tag', 'noindex')
  c.header('Content-Security-Policy', pagePolicy(formActions))
}

/** For the console, whose scripts only add to pages that work without them. */
export function scriptedPageHeaders(c: Call, formActions: readonly string[] = []): void {
  pageHeaders(c, formActions)
  c.header('Content-Security-Policy', `${pagePolicy(formActions)}; ${OWN_SCRIPTS}`)
}

/** For pages without user data: caches may store them and search engines may index them. They may have scripts of ours. */
export function publicPageHeaders(c: Call): void {
  c.header('Content-Security-Policy', `${pagePolicy([])}; ${OWN_SCRIPTS}`)
}

/** Scripts of this site, and what they read from it. */
const OWN_SCRIPTS = "script-src 'self'; connect-src 'self'"

const pagePolicy = (formActions: readonly string[]): string =>
  `default-src 'none'; style-src 'self'; img-src 'self'; form-action ${["'self'", ...formActions].join(' ')}; frame-ancestors 'none'; base-uri 'none'`

const DAY_SECONDS = 24 * 3_600
const WINDOW_SECONDS = {
  minute: 60,
  hour: 3_600,
  month: 31 * DAY_SECONDS,
  year: 365 * DAY_SECONDS,
} as const

/** RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers), on successes and on 429. */
export function rateHeaders(
  { window, limit, left }: Pick<Rate, 'window' | 'limit' | 'left'>,
  resetsInSeconds: number | null,
): Record<string, string> {
  const reset = resetsInSeconds === null ? '' : `;t=${resetsInSeconds}`
  return {
    [HEADERS.rateLimitPolicy]: `"${window}";q=${limit};w=${WINDOW_SECONDS[window]}`,
    [HEADERS.rateLimit]: `"${window}";r=${left}${reset}`,
  }
}

/** `rate` is null when the request counted against no limit. */
export function rateHeadersAt(rate: Rate | null, now: number): Record<string, string> {
  if (rate === null) {
    return {}
  }
  return rateHeaders(
    rate,
    rate.resetsAt === null ? null : Math.max(0, Math.ceil((rate.resetsAt - now) / 1_000)),
  )
}

export function setRateHeaders(c: Call, rate: Rate | null, now: number): void {
  for (const [name, value] of Object.entries(rateHeadersAt(rate, now))) {
    c.header(name, value)
  }
}
