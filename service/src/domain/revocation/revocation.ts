import type { ResourceId, SessionId, TenantId } from '../ids.ts'
import { ACCESS_TOKEN_MS } from '../sessions/session.ts'
import type { Duration, Instant } from '../time.ts'

/**
 * What every instance must know to refuse a token that is still in date, since verify asks no database.
 * A notice is written in the transaction that causes it, applied to memory after that commit, and read by the other
 * instances. All are monotonic (applying one twice, or late, changes nothing), so order does not matter.
 */
export type Revocation =
  /** Tokens of this session older than `generation` are spent. An ended session has the highest generation. */
  | {
      readonly kind: 'session'
      readonly tenantId: TenantId
      readonly sessionId: SessionId
      readonly generation: number
      readonly until: Instant
    }
  /** The social-login resource was deleted: every token issued under it is dead. */
  | {
      readonly kind: 'resource'
      readonly tenantId: TenantId
      readonly resourceId: ResourceId
      readonly until: Instant
    }
  /** Verify answers `tenantPaused`. Only a claim lifts it, and a claimed tenant is never paused again. */
  | { readonly kind: 'tenant-paused'; readonly tenantId: TenantId; readonly until: Instant }
  /** Lifts a pause, and the 72 hours that tokens issued before the claim still carry. */
  | { readonly kind: 'tenant-claimed'; readonly tenantId: TenantId; readonly until: Instant }

/** No real session is refreshed this often; it means "every generation". Fits a signed 32-bit integer. */
export const ALL_GENERATIONS = 2_147_483_647

/** For instances whose clocks disagree. */
const CLOCK_MARGIN_MS: Duration = 120_000

/** Until when an access token issued at this moment may still be in date somewhere. */
export const latestTokenExpiry = (issuedAt: Instant): Instant => issuedAt + ACCESS_TOKEN_MS + CLOCK_MARGIN_MS
