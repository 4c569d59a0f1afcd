import type { z } from 'zod'
import type { ApiErrorCode } from '../api-errors.ts'

/**
 * The credential an endpoint requires: none, a management key, an edge token, a claim wait token, the session cookie of
 * an account, or an OAuth access token.
 */
export type EndpointAuth =
  | 'none'
  | 'management'
  | 'edge-session'
  | 'wait'
  | 'account-session'
  | 'oauth'

/**
 * A REST endpoint as data. Request parsing, response validation and documentation all use it, so that the three cannot
 * drift apart.
 */
export interface Endpoint {
  /** The name of its operation: `refreshSession` is in operations/…/refresh-session.ts. */
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With `:name` for path parameters. */
  readonly path: string
  readonly auth: EndpointAuth
  readonly summary: string
  /** More than the summary says, for the documentation. */
  readonly description?: string
  /** For the tests of apps: mounted and documented only while the development Google replaces Google. */
  readonly development?: true
  /** The section of the documentation. */
  readonly tag: Tag
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  /** Request headers that it reads besides the credential, and what each does here. */
  readonly requestHeaders?: Readonly<Partial<Record<RequestHeader, string>>>
  readonly body?: z.ZodType
  /** The body is text of this type instead of JSON; the handler reads it. */
  readonly textBody?: { readonly type: string; readonly schema: z.ZodType }
  /** The body is a file of this type; the handler reads it. */
  readonly fileBody?: string
  /** Default: BODY_MAX_BYTES. */
  readonly bodyMaxBytes?: number
  /** 302: a redirect, which has no body. */
  readonly ok: {
    readonly status: 200 | 201 | 302
    readonly body: z.ZodType
    /** Text instead of JSON, of the type that the request asks for. */
    readonly textTypes?: readonly string[]
    /** Headers of this response besides those that every response has. */
    readonly headers?: readonly ResponseHeader[]
    /** A second success status, with the same body. */
    readonly alsoStatus?: { readonly status: 200; readonly description: string }
    /** What the response to `Accept: text/plain` and its body are. */
    readonly plainText?: { readonly description: string; readonly body: string }
  }
  readonly errors: readonly ApiErrorCode[]
  /** Browsers get errors as pages. */
  readonly errorPages?: true
  readonly example: Example
}

export type RequestHeader = 'Idempotency-Key' | 'If-Match'

/** The headers of some success responses, by their names in the OpenAPI document. */
export type ResponseHeader =
  | 'ETag'
  | 'Location'
  | 'NextPage'
  | 'RateLimit'
  | 'RateLimitPolicy'
  | 'TotalCount'

/** One request and its response, for documentation; a test sends it. `{base_url}` is replaced by the real one. */
export interface Example {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: unknown
  /** The body of a request, for an endpoint with `textBody`. */
  readonly text?: string
  /** The body of a request in base64, for an endpoint with `fileBody`. */
  readonly file?: string
  readonly response: unknown
}

/** Keeps the literal type, checks the example against the schemas at compile time, and rejects unknown keys. */
export const defineEndpoint = <const E extends Endpoint>(
  endpoint: E & { readonly example: ExampleOf<E> } & KnownKeys<E>,
): E => endpoint

/** A type parameter accepts further keys, so a misspelt optional key would compile. */
type KnownKeys<E extends Endpoint> = NoOtherKeys<E, Endpoint> & {
  readonly ok: NoOtherKeys<E['ok'], Endpoint['ok']>
  readonly example: NoOtherKeys<E['example'], Example>
}

type NoOtherKeys<T, Known> = { readonly [K in Exclude<keyof T, keyof Known>]: never }

type Parsed<T> = T extends z.ZodType ? z.infer<T> : unknown

/** The input of a handler: parsed path parameters, query and body. */
export interface InputOf<E extends Endpoint> {
  readonly params: Parsed<E['params']>
  readonly query: Parsed<E['query']>
  readonly body: Parsed<E['body']>
}

export type OutputOf<E extends Endpoint> = z.input<E['ok']['body']>

type ExampleOf<E extends Endpoint> = ExamplePart<E, 'params'> &
  ExamplePart<E, 'body'> & { readonly response: Literal<OutputOf<E>> }

/** Required if and only if the endpoint has a schema for this part. */
type ExamplePart<E extends Endpoint, Part extends 'params' | 'body'> = E[Part] extends z.ZodType
  ? { readonly [P in Part]: Literal<z.input<E[Part]>> }
  : { readonly [P in Part]?: never }

/** Deeply readonly, because `defineEndpoint` infers literals as readonly. */
type Literal<T> = T extends object ? { readonly [K in keyof T]: Literal<T[K]> } : T

/** The errors of an endpoint that requires the management key of an active tenant. */
export const MANAGEMENT_ERRORS = [
  'missingCredentials',
  'invalidCredentials',
  'wrongKeyKind',
  'tenantPaused',
  'tenantExpired',
  'invalidRequest',
  'rateLimited',
] as const satisfies readonly ApiErrorCode[]

/** The sections of the API documentation, in order. */
export const TAGS = {
  Tenants:
    'A tenant is one app. A guest tenant expires after 72 hours; an owned one does not expire.',
  Claims: 'How a user becomes the owner of a guest tenant.',
  'Social login': 'The configuration of sign-in: the callback URLs of your app.',
  'Users and events': 'The users of your app, and its auth event history.',
  'Domains and brand': 'The domains that you control, and what the consent page shows of your app.',
  Webhooks: 'Endpoints of your app that get the events, signed as Standard Webhooks defines.',
  Sessions: 'What your app calls: start a login, verify, refresh, log out. No key is needed.',
  'OpenID Connect':
    'Every tenant is an OpenID Provider for its app: what an OpenID library reads and calls. No setting is needed.',
  'Edge tokens': 'Exchange the application key for a token that is valid for one minute.',
  Insights: 'Usage and activity of an owner’s projects.',
  Feedback: 'Send feedback to the operator.',
  Tests:
    'For the tests of your app. Only on a development service, which runs on your machine without Google.',
  OAuth: 'The authorization server for MCP clients. Errors have the shape of RFC 6749.',
  MCP: 'The hosted MCP server.',
  Operating: 'Health, readiness and metrics of this instance.',
} as const

export type Tag = keyof typeof TAGS
