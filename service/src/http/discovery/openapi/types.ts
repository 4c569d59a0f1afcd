import type { ApiErrorCode, Tag } from '@gatehouse-auth/contract'

/** The part of OpenAPI 3.1 that the document uses. JSON Schema is open-ended, so a schema is any object. */
export type Schema = Readonly<Record<string, unknown>>

export interface Ref {
  readonly $ref: string
}

export interface Header {
  readonly description: string
  readonly required?: boolean
  readonly schema: Schema
  readonly example?: string
}

export interface MediaType {
  readonly schema: Schema
  readonly example?: unknown
}

export interface ApiResponse {
  readonly description: string
  readonly headers?: Readonly<Record<string, Ref>>
  readonly content?: Readonly<Record<string, MediaType>>
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: Schema
  readonly example?: unknown
}

/** A success response in another form, which the client asks for. OpenAPI has one response per status, so it is an extension. */
export interface Variant {
  /** The request header that asks for it. */
  readonly when: string
  readonly status: number
  readonly description: string
  readonly content: Readonly<Record<string, MediaType>>
}

export type SecuritySchemeName =
  | 'accountSession'
  | 'edgeSession'
  | 'managementKey'
  | 'oauth'
  | 'waitToken'

/** The schemes that one request needs, each with its scopes. */
export type SecurityRequirement = Readonly<Partial<Record<SecuritySchemeName, readonly string[]>>>

export type SecurityScheme = { readonly description: string } & (
  | { readonly type: 'http'; readonly scheme: 'bearer' }
  | { readonly type: 'apiKey'; readonly in: 'cookie'; readonly name: string }
  | {
      readonly type: 'oauth2'
      readonly flows: {
        readonly authorizationCode: {
          readonly authorizationUrl: string
          readonly tokenUrl: string
          readonly refreshUrl: string
          readonly scopes: Readonly<Record<string, string>>
        }
      }
    }
)

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly Tag[]
  readonly deprecated?: true
  readonly security: readonly SecurityRequirement[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: {
    readonly required: boolean
    readonly content: Readonly<Record<string, MediaType>>
  }
  readonly responses: Readonly<Record<string, ApiResponse | Ref>>
  readonly 'x-variants'?: readonly Variant[]
}

export type PathItem = Readonly<Partial<Record<'get' | 'post' | 'delete', Operation>>>

/** An operation without an endpoint in the contract. `errors`: the codes of the API errors that it returns. */
export type WrittenOperation = Operation & { readonly errors?: readonly ApiErrorCode[] }

/** The operations of a room of http that the contract does not have, by path and method. */
export type WrittenPaths = Readonly<
  Record<string, Readonly<Partial<Record<'get' | 'post', WrittenOperation>>>>
>

interface Info {
  readonly title: string
  readonly version: string
  readonly summary: string
  readonly description: string
  readonly license: { readonly name: string; readonly identifier: string }
  readonly contact: { readonly name: string; readonly url: string }
}

export interface OpenApi {
  readonly openapi: '3.1.1'
  readonly info: Info
  readonly servers: readonly { readonly url: string; readonly description: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly externalDocs: { readonly url: string; readonly description: string }
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly headers: Readonly<Record<string, Header>>
    readonly responses: Readonly<Record<string, ApiResponse>>
    readonly securitySchemes: Readonly<Record<SecuritySchemeName, SecurityScheme>>
  }
}
