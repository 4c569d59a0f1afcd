import type { HttpBindings } from '@hono/node-server'
import type { Hono, Context as HonoContext } from 'hono'
import type { TenantId } from '../domain/ids.ts'
import type { Cidr } from '../domain/network/ip-address.ts'
import type { RequestRecord } from '../domain/stores/stores.ts'
import type { Context } from '../operations/context.ts'
import type { InvalidRequestLimit } from '../operations/limits/limit-requests.ts'
import type { Operator } from './pages/operator.ts'

/** Hono's types for one request: Node's request and response, and the variables that handlers share. */
export interface Env {
  Bindings: HttpBindings
  Variables: {
    requestId: string
    /** The endpoint's path with its `:names`. Logs use it because a real URL may contain a token. */
    route: string
    /** The owned tenant that this request concerns: its owner sees the request in the observability tail. */
    ownedTenantId: TenantId | undefined
  }
}

export interface HandledRequest extends Omit<RequestRecord, 'tenantId' | 'at'> {
  /** The owned tenant that the request concerned, if any. */
  readonly ownedTenantId: TenantId | undefined
}

export type App = Hono<Env>
/** Hono's context of one request. Handlers name it `c`. */
export type Call = HonoContext<Env>

/** Reports that the process was suspended or blocked, so that its copy of the revocations may be out of date. */
interface StallDetector {
  stalled(): boolean
  /** Resolves when the revocations have been read again, or after a deadline. */
  caughtUp(): Promise<void>
}

/** A part of a page of the documentation: its title and introduction, or a heading and what follows it. */
export interface Section {
  readonly path: string
  /** The label of its page. */
  readonly page: string
  readonly heading: string
  readonly text: string
  readonly code: string
  /** Guides explain, so they come before the reference when both match alike. */
  readonly isGuide: boolean
}

/** Search over all pages. The index is built once, and the results of the last queries are kept. */
export interface DocsSearch {
  /** Builds the index, page by page, so that other requests are handled meanwhile. */
  build(): Promise<void>
  /** The result for these words, if it is known. */
  known(words: readonly string[]): readonly Section[] | undefined
  /** The best sections first. */
  find(words: readonly string[]): Promise<readonly Section[]>
}

/** The dependencies that every HTTP route receives. */
export interface HttpDependencies {
  readonly ctx: Context
  readonly trustedProxies: readonly Cidr[]
  readonly stallDetector: StallDetector
  readonly invalidRequests: InvalidRequestLimit
  /** True while the built-in development provider replaces Google. */
  readonly development: boolean
  /** The development Google can be reached from other machines: every page warns about it. */
  readonly exposedDevelopmentSignIn: boolean
  /** Origins that a "Sign in with Google" form may redirect to, for the `form-action` directive of those pages. */
  readonly providerOrigins: readonly string[]
  readonly operator: Operator
}
