import type { HttpBindings } from '@hono/node-server'
import type { Hono, Context as HonoContext } from 'hono'
import type { TenantId } from '../domain/ids.ts'
import type { Cidr } from '../domain/network/ip-address.ts'
import type { Context } from '../operations/context.ts'
import type { InvalidRequestLimit } from '../operations/limits/limit-requests.ts'
import type { DocsSearch } from './discovery/docs/search-index.ts'
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

export type App = Hono<Env>
/** Hono's context of one request. Handlers name it `c`. */
export type Call = HonoContext<Env>

/** Reports that the process was suspended or blocked, so that its copy of the revocations may be out of date. */
interface StallDetector {
  stalled(): boolean
  /** Resolves when the revocations have been read again, or after a deadline. */
  caughtUp(): Promise<void>
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
  readonly docsSearch: DocsSearch
}
