import { API_VERSION, HEADERS } from '@gatehouse/contract'
import type { Header, Ref } from './types.ts'

const text = { type: 'string' } as const

/** Every response header that the document describes, by its name under `components`. */
export const HEADER_COMPONENTS = {
  ApiVersion: {
    description: 'The major version of the API.',
    required: true,
    schema: { type: 'string', const: API_VERSION },
  },
  RequestId: {
    description: 'The id of this request, also in the log. Quote it when you ask for help.',
    required: true,
    schema: { type: 'string', pattern: '^[\\w-]{16}$' },
  },
  RateLimitPolicy: {
    description: 'The limit that this call counts against: its window, quota `q`, and length `w` in seconds.',
    schema: { type: 'string', pattern: '^"(minute|hour|month|year|lifetime)";q=\\d+(;w=\\d+)?$' },
    example: '"minute";q=5;w=60',
  },
  RateLimit: {
    description: 'What is left: `r` calls, and `t` seconds until it resets.',
    schema: { type: 'string', pattern: '^"(minute|hour|month|year|lifetime)";r=\\d+(;t=\\d+)?$' },
    example: '"minute";r=4;t=37',
  },
  RetryAfter: {
    description: 'Seconds to wait before a retry.',
    schema: { type: 'string', pattern: '^\\d+$' },
    example: '20',
  },
  NextPage: {
    description: 'The URL of the next page, as `<…>; rel="next"`. Absent on the last page.',
    schema: { type: 'string', pattern: '^<[^>]+>; rel="next"$' },
  },
  TotalCount: {
    description: 'The number of all matches, with `count=true`.',
    schema: { type: 'string', pattern: '^\\d+$' },
    example: '1',
  },
  ETag: {
    description: 'This version, for `If-Match`.',
    required: true,
    schema: { type: 'string', pattern: '^"[\\w-]+"$' },
  },
  Challenge: {
    description: 'The authentication challenge (RFC 6750).',
    schema: { type: 'string', pattern: '^(Bearer|Basic)' },
  },
  Deprecation: {
    description: 'When it was deprecated (RFC 9745): `@` and a Unix time in seconds.',
    schema: { type: 'string', pattern: '^@\\d+$' },
    example: '@1767225600',
  },
  Sunset: {
    description: 'When it stops working (RFC 8594).',
    schema: text,
    example: 'Wed, 01 Jul 2026 00:00:00 GMT',
  },
  Migration: {
    description: '`rel="deprecation"` links to the migration guide, `rel="successor-version"` to the replacement.',
    schema: text,
  },
  Location: { description: 'The URL that the browser is redirected to.', required: true, schema: text },
} as const satisfies Record<string, Header>

export type HeaderName = keyof typeof HEADER_COMPONENTS

/** The header name on the wire. */
const WIRE_NAMES: Readonly<Record<HeaderName, string>> = {
  ApiVersion: HEADERS.apiVersion,
  RequestId: HEADERS.requestId,
  RateLimitPolicy: HEADERS.rateLimitPolicy,
  RateLimit: HEADERS.rateLimit,
  RetryAfter: HEADERS.retryAfter,
  NextPage: 'Link',
  TotalCount: HEADERS.totalCount,
  ETag: 'ETag',
  Challenge: 'WWW-Authenticate',
  Deprecation: 'Deprecation',
  Sunset: 'Sunset',
  Migration: 'Link',
  Location: 'Location',
}

export const headers = (names: readonly HeaderName[]): Record<string, Ref> =>
  Object.fromEntries(names.map((name) => [WIRE_NAMES[name], { $ref: `#/components/headers/${name}` }]))

/** The headers of every response under /api and /edge. */
export const REST: readonly HeaderName[] = ['ApiVersion', 'RequestId']
