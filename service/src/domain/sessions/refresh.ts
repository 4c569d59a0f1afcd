import type { ResourceId, SessionId } from '../ids.ts'
import type { Charge, Charges } from '../limits/allowance.ts'
import type { Tenant } from '../tenants/tenant.ts'
import type { Instant } from '../time.ts'
import type { Session } from './session.ts'
import type { User } from './user.ts'

/** The compare-and-swap of a session to its next generation. */
export interface Rotation {
  readonly sessionId: SessionId
  readonly generation: number
  readonly salt: Uint8Array
  readonly now: Instant
  readonly expiresAt: Instant
  readonly idempotencyHash: string | null
}

/** Everything that one refresh changes. Atomic; concurrent refreshes may share a commit. */
export interface Refresh {
  /**
   * May be cached for some seconds; the charges are computed from it, so the store compares it with the row. Never a
   * suspended one: the store only checks that the row is not suspended now.
   */
  readonly tenant: Tenant
  readonly charges: Charges
  readonly rotation: Rotation
}

export type RefreshOutcome =
  | {
      readonly outcome: 'refreshed'
      readonly resourceId: ResourceId
      readonly session: Omit<Session, 'late'>
      readonly user: User
      readonly usedThisMinute: number
    }
  /** The token is spent, expired, revoked or was never issued. */
  | { readonly outcome: 'not-current' }
  | { readonly outcome: 'over-limit'; readonly charge: Charge }
  | { readonly outcome: 'not-provisioned' }
  /** The tenant was claimed, paused, suspended or ended, or changed its tier: read it again. */
  | { readonly outcome: 'tenant-changed' }
