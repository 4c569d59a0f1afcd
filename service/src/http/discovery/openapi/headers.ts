import {
  API_VERSION,
  HEADERS,
  type RequestHeader,
  type ResponseHeader,
} from '@gatehouse-auth/contract'
import type { Header, Ref, Schema } from './types.ts'

/** The response headers that the document describes, by their names under `components`. */
export type HeaderName =
  | ResponseHeader
  | 'ApiVersion'
  | 'Challenge'
  | 'Deprecation'
  | 'Migration'
  | 'RequestId'
  | 'RetryAfter'
  | 'Sunset'

/** In the order of the document. */
const RESPONSE_HEADERS: Readonly<Record<HeaderName, Header & { readonly name: string }>> = {
  ApiVersion: {
    name: HEADERS.apiVersion,
    description: 'The major version of the API.',
    required: true,
    schema: { type: 'string', const: API_VERSION },
  },
  RequestId: {
    name: HEADERS.requestId,
    description: 'The id of this request, also in the log. Quote it when you ask for help.',
    required: true,
    schema: { type: 'string', pattern: '^[\\w-]{16}$' },
  },
  RateLimitPolicy: {
    name: HEADERS.rateLimitPolicy,
    description:
      'The limit that this call counts against: its window, quota `q`, and length `w` in seconds.',
    schema: {
      type: 'string',
      pattern: '^"(minute|hour|month|year|lifetime)";q=\\d+(;w=\\d+)?$',
    },
    example: '"minute";q=5;w=60',
  },
  RateLimit: {
    name: HEADERS.rateLimit,
    description: 'What is left: `r` calls, and `t` seconds until it resets.',
    schema: {
      type: 'string',
      pattern: '^"(minute|hour|month|year|lifetime)";r=\\d+(;t=\\d+)?$',
    },
    example: '"minute";r=4;t=37',
  },
  RetryAfter: {
    name: HEADERS.retryAfter,
    description: 'Seconds to wait before a retry.',
    schema: { type: 'string', pattern: '^\\d+$' },
    example: '20',
  },
  NextPage: {
    name: 'Link',
    description: 'The URL of the next page, as `<…>; rel="next"`. Absent on the last page.',
    schema: { type: 'string', pattern: '^<[^>]+>; rel="next"$' },
  },
  TotalCount: {
    name: HEADERS.totalCount,
    description: 'The number of all matches, with `count=true`.',
    schema: { type: 'string', pattern: '^\\d+$' },
    example: '1',
  },
  ETag: {
    name: 'ETag',
    description: 'This version, for `If-Match`.',
    required: true,
    schema: { type: 'string', pattern: '^"[\\w-]+"$' },
  },
  Challenge: {
    name: 'WWW-Authenticate',
    description: 'The authentication challenge (RFC 6750).',
    schema: { type: 'string', pattern: '^(Bearer|Basic)' },
  },
  Deprecation: {
    name: 'Deprecation',
    description: 'When it was deprecated (RFC 9745): `@` and a Unix time in seconds.',
    schema: { type: 'string', pattern: '^@\\d+$' },
    example: '@1767225600',
  },
  Sunset: {
    name: 'Sunset',
    description: 'When it stops working (RFC 8594).',
    schema: { type: 'string' },
    example: 'Wed, 01 Jul 2026 00:00:00 GMT',
  },
  Migration: {
    name: 'Link',
    description:
      '`rel="deprecation"` links to the migration guide, `rel="successor-version"` to the replacement.',
    schema: { type: 'string' },
  },
  Location: {
    name: 'Location',
    description: 'The URL that the browser is redirected to.',
    required: true,
    schema: { type: 'string' },
  },
}

export const HEADER_COMPONENTS: Readonly<Record<string, Header>> = Object.fromEntries(
  Object.entries(RESPONSE_HEADERS).map(([key, { name: _, ...header }]) => [key, header]),
)

export const headers = (names: readonly HeaderName[]): Record<string, Ref> =>
  Object.fromEntries(
    names.map((name) => [RESPONSE_HEADERS[name].name, { $ref: `#/components/headers/${name}` }]),
  )

/** The headers of every response under /api, /edge and /oauth. */
export const REST: readonly HeaderName[] = ['ApiVersion', 'RequestId']

/** What an endpoint may read besides its credential. */
export const REQUEST_HEADERS: Readonly<Record<RequestHeader, Schema>> = {
  'Idempotency-Key': { type: 'string', minLength: 8, maxLength: 128 },
  'If-Match': { type: 'string' },
}
