import type { ResourceId, SessionId } from '../ids.ts'
import type { Charge, Charges } from '../limits/allowance.ts'
import type { Tenant } from '../tenants/tenant.ts'
import type { Instant } from '../time.ts'
import type { Session } from './session.ts'
import type { User } from './user.ts'

/** The next generation of a session, for whoever holds the current one. */
export interface Rotation {
  readonly sessionId: SessionId
  readonly generation: number
  readonly salt: Uint8Array
  readonly now: Instant
  readonly expiresAt: Instant
  readonly fingerprint: string | null
  readonly idempotencyHash: string | null
}

/** Everything that one refresh changes. It happens as a whole or not at all, beside others that wait. */
export interface Refresh {
  /** As the caller remembers it, which may be some seconds old; what the refresh costs follows from it. */
  readonly tenant: Tenant
  readonly charges: Charges
  readonly rotation: Rotation
}

export type RefreshOutcome =
  | {
      readonly outcome: 'refreshed'
      readonly resourceId: ResourceId
      readonly session: Session
      readonly user: User
      readonly usedThisMinute: number
    }
  /** Spent, expired, ended or never issued. */
  | { readonly outcome: 'not-current' }
  | { readonly outcome: 'over-limit'; readonly charge: Charge }
  | { readonly outcome: 'not-provisioned' }
  /** Claimed, paused, ended, or of another tier by now: look at it again. */
  | { readonly outcome: 'tenant-changed' }
