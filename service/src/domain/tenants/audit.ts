import { AUDIT_KEPT_DAYS, type AuditAction } from '@gatehouse-auth/contract'
import type { AccountId, TenantId } from '../ids.ts'
import type { Duration, Instant } from '../time.ts'

export const AUDIT_KEPT_MS: Duration = AUDIT_KEPT_DAYS * 24 * 3_600_000

/** A management key by the start of its hash, the owner's account, an agent's grant, a user of the app, or the operator. */
export type Actor =
  | `key:${string}`
  | `account:${AccountId}`
  | `grant:${number}`
  | 'person'
  | 'operator'

/** Who makes a change, and in which request. */
export interface Author {
  readonly actor: Actor
  readonly requestId: string
}

export interface NewAction extends Author {
  readonly tenantId: TenantId
  readonly action: AuditAction
  /** What was changed, never its value. */
  readonly target: string | null
  readonly at: Instant
}

export interface RecordedAction extends NewAction {
  readonly id: number
}
