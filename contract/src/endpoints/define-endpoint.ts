import type { z } from 'zod'
import type { ApiErrorCode } from '../api-errors.ts'
import type { Tag } from './tags.ts'

/**
 * The credential an endpoint requires: none, a management key, an edge token, a claim wait token, the session cookie of
 * an account, or an OAuth access token.
 */
export type EndpointAuth = 'none' | 'management' | 'edge-session' | 'wait' | 'account-session' | 'oauth'

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
  /** For the tests of apps: mounted and documented only while the development Google replaces Google. */
  readonly development?: true
  /** The section of the documentation. */
  readonly tag: Tag
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
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
  }
  readonly errors: readonly ApiErrorCode[]
  readonly example: Example
}

/** One request and its response, for documentation; a test sends it. `{base_url}` is replaced by the real one. */
export interface Example {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: unknown
  /** Of an endpoint with `textBody`. */
  readonly text?: string
  /** Of an endpoint with `fileBody`, in base64. */
  readonly file?: string
  readonly response: unknown
}

/** Keeps the literal type, and checks the example against the schemas at compile time. */
export const defineEndpoint = <const E extends Endpoint>(endpoint: E & { readonly example: ExampleOf<E> }): E =>
  endpoint

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
