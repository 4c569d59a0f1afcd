import { API_VERSION, HEADERS } from '@gatehouse/contract'
import type { Header, Ref } from './types.ts'

const text = { type: 'string' } as const

/** Every header of ours that an answer may carry, by the name it has under `components`. */
export const HEADER_COMPONENTS = {
  ApiVersion: {
    description: 'The major version of the API.',
    required: true,
    schema: { type: 'string', const: API_VERSION },
  },
  RequestId: {
    description: 'Names this one request, in our log too. Quote it when you ask for help.',
    required: true,
    schema: { type: 'string', pattern: '^[\\w-]{16}$' },
  },
  RateLimitPolicy: {
    description: 'The allowance that this call counts against: its window, quota `q`, and length `w` in seconds.',
    schema: { type: 'string', pattern: '^"(minute|month|lifetime)";q=\\d+(;w=\\d+)?$' },
    example: '"minute";q=5;w=60',
  },
  RateLimit: {
    description: 'What is left of it: `r` calls, and `t` seconds until it begins anew.',
    schema: { type: 'string', pattern: '^"(minute|month|lifetime)";r=\\d+(;t=\\d+)?$' },
    example: '"minute";r=4;t=37',
  },
  RetryAfter: {
    description: 'Seconds to wait before the same request is worth sending again.',
    schema: { type: 'string', pattern: '^\\d+$' },
    example: '20',
  },
  NextPage: {
    description: 'Where the list goes on, as `<…>; rel="next"`. Absent on the last page.',
    schema: { type: 'string', pattern: '^<[^>]+>; rel="next"$' },
  },
  Challenge: {
    description: 'Which credential is wanted (RFC 6750).',
    schema: { type: 'string', pattern: '^(Bearer|Basic)' },
  },
  Deprecation: {
    description: 'Since when it is deprecated (RFC 9745): `@` and seconds since 1970.',
    schema: { type: 'string', pattern: '^@\\d+$' },
    example: '@1767225600',
  },
  Sunset: {
    description: 'When it stops, or stopped (RFC 8594).',
    schema: text,
    example: 'Wed, 01 Jul 2026 00:00:00 GMT',
  },
  Migration: {
    description: 'What to do instead: `rel="deprecation"` is a document, `rel="successor-version"` the replacement.',
    schema: text,
  },
  Location: { description: 'Where the browser goes.', required: true, schema: text },
} as const satisfies Record<string, Header>

export type HeaderName = keyof typeof HEADER_COMPONENTS

/** What each is called on the wire. */
const WIRE_NAMES: Readonly<Record<HeaderName, string>> = {
  ApiVersion: HEADERS.apiVersion,
  RequestId: HEADERS.requestId,
  RateLimitPolicy: HEADERS.rateLimitPolicy,
  RateLimit: HEADERS.rateLimit,
  RetryAfter: HEADERS.retryAfter,
  NextPage: 'Link',
  Challenge: 'WWW-Authenticate',
  Deprecation: 'Deprecation',
  Sunset: 'Sunset',
  Migration: 'Link',
  Location: 'Location',
}

export const headers = (names: readonly HeaderName[]): Record<string, Ref> =>
  Object.fromEntries(names.map((name) => [WIRE_NAMES[name], { $ref: `#/components/headers/${name}` }]))

/** On every answer of the REST surfaces. */
export const REST: readonly HeaderName[] = ['ApiVersion', 'RequestId']
