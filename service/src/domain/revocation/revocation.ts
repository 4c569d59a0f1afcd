import type { ResourceId, SessionId, TenantId } from '../ids.ts'
import { ACCESS_TOKEN_MS } from '../sessions/session.ts'
import type { Duration, Instant } from '../time.ts'

/**
 * What every instance must know to reject an unexpired token, because verify does not query the database. A revocation is
 * written in the transaction that causes it, applied to memory after the commit, and read by the other instances. All are
 * monotonic (applying one twice or late changes nothing), so order does not matter.
 */
export type Revocation =
  /** Revokes the tokens of this session with a lower generation. An ended session has ALL_GENERATIONS. */
  | {
      readonly kind: 'session'
      readonly tenantId: TenantId
      readonly sessionId: SessionId
      readonly generation: number
      readonly until: Instant
    }
  /** The social-login resource was deleted: revokes all its tokens. */
  | {
      readonly kind: 'resource'
      readonly tenantId: TenantId
      readonly resourceId: ResourceId
      readonly until: Instant
    }
  /** Verify returns `tenantPaused`. Only a claim lifts the pause, and a claimed tenant is never paused again. */
  | { readonly kind: 'tenant-paused'; readonly tenantId: TenantId; readonly until: Instant }
  /** Lifts a pause, and the tenant expiry in tokens issued before the claim. */
  | { readonly kind: 'tenant-claimed'; readonly tenantId: TenantId; readonly until: Instant }
  /**
   * Verify returns `tenantSuspended` while the highest generation of the tenant is a suspension. Both outlast every token
   * issued before the suspension, and none is issued during it.
   */
  | SuspensionChange
  /** The database continues without these sessions, of any tenant: no session gets one of these ids. */
  | {
      readonly kind: 'sessions-lost'
      readonly tenantId: TenantId
      readonly first: SessionId
      readonly last: SessionId
      readonly until: Instant
    }

export interface SuspensionChange {
  readonly kind: 'tenant-suspended' | 'tenant-lifted'
  readonly tenantId: TenantId
  /** Ascends with every suspension and lift of the tenant. */
  readonly generation: number
  readonly until: Instant
}

/** Higher than the generation of any session. Fits a signed 32-bit integer. */
export const ALL_GENERATIONS = 2_147_483_647

/** For clock skew between instances. */
const CLOCK_MARGIN_MS: Duration = 120_000

/** When an access token issued at this time has expired on every instance. */
export const latestTokenExpiry = (issuedAt: Instant): Instant =>
  issuedAt + ACCESS_TOKEN_MS + CLOCK_MARGIN_MS
