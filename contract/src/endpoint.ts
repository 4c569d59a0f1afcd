import type { z } from 'zod'
import type { ApiErrorCode } from './api-errors.ts'
import type { Tag } from './tags.ts'

/**
 * Who may call: anybody, the holder of a tenant's management key, of a narrow token, an owner in their browser, or a
 * client that an owner signed in to.
 */
export type EndpointAuth = 'none' | 'management' | 'edge-session' | 'wait' | 'account-session' | 'oauth'

/**
 * An endpoint as data. Requests are parsed by it, answers are checked by it, and its documentation is read from it,
 * so that the three cannot drift apart.
 */
export interface Endpoint {
  /** The operation behind it, in camelCase: `refreshSession` lives in operations/…/refresh-session.ts. */
  readonly id: string
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** With `:name` for path parameters. */
  readonly path: string
  readonly auth: EndpointAuth
  readonly summary: string
  /** The part of the API that documentation shows it in. */
  readonly tag: Tag
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** When it is not the usual 64 KiB. */
  readonly bodyMaxBytes?: number
  /** 302: a redirect, which has no body. */
  readonly ok: { readonly status: 200 | 201 | 302; readonly body: z.ZodType }
  readonly errors: readonly ApiErrorCode[]
  readonly example: Example
}

/** One call and its response, for documentation. A test sends every one. `{base_url}` is filled in. */
export interface Example {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: unknown
  readonly response: unknown
}

/** Keeps the literal type, and checks the example against the schemas beside it. */
export const defineEndpoint = <const E extends Endpoint>(endpoint: E & { readonly example: ExampleOf<E> }): E =>
  endpoint

type Parsed<T> = T extends z.ZodType ? z.infer<T> : unknown

/** What a handler is given: the parsed path, query and body side by side. */
export interface InputOf<E extends Endpoint> {
  readonly params: Parsed<E['params']>
  readonly query: Parsed<E['query']>
  readonly body: Parsed<E['body']>
}

export type OutputOf<E extends Endpoint> = z.input<E['ok']['body']>

type ExampleOf<E extends Endpoint> = Given<E, 'params'> & Given<E, 'body'> & { readonly response: Literal<OutputOf<E>> }

/** Required exactly when the endpoint takes it. */
type Given<E extends Endpoint, Part extends 'params' | 'body'> = E[Part] extends z.ZodType
  ? { readonly [P in Part]: Literal<z.input<E[Part]>> }
  : { readonly [P in Part]?: never }

/** A value of this type as a literal, which `defineEndpoint` reads as readonly throughout. */
type Literal<T> = T extends object ? { readonly [K in keyof T]: Literal<T[K]> } : T
