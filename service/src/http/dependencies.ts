import type { HttpBindings } from '@hono/node-server'
import type { Hono, Context as HonoContext } from 'hono'
import type { TenantId } from '../domain/ids.ts'
import type { Cidr } from '../domain/network/ip-address.ts'
import type { Context } from '../operations/context.ts'

/** What every surface knows about the request in hand. */
export interface Env {
  Bindings: HttpBindings
  Variables: {
    requestId: string
    /** The endpoint's path with its `:names`, for the log: a real address may hold a token. */
    route: string
    /** The owned tenant it is about, for the owner's own tail of requests. */
    ownedTenantId: TenantId | undefined
  }
}

export type App = Hono<Env>
export type Call = HonoContext<Env>

/** Has this process stood still, so that its memory may be out of date? */
export interface StallDetector {
  stalled(): boolean
  /** Resolves when its memory is as good as it can be. */
  caughtUp(): Promise<void>
}

/** What the surfaces share. */
export interface HttpDependencies {
  readonly ctx: Context
  readonly trustedProxies: readonly Cidr[]
  readonly stallDetector: StallDetector
  /** The built-in development Google is in use. */
  readonly development: boolean
  /** Where a "Sign in with Google" button may lead: for the form-action of pages that have one. */
  readonly providerOrigins: readonly string[]
}
