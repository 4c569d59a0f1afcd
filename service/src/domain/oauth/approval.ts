import type { Scope } from '@gatehouse/contract'
import type { Instant } from '../time.ts'

export type ApprovalDecision = 'allowed' | 'denied'

/** A validated authorization request that waits for a decision. Single use, bound to one browser, valid ten minutes. */
export interface Approval {
  readonly clientId: string
  /** At the time of the request. */
  readonly clientName: string
  /** As sent, and as matched. */
  readonly redirectUri: string
  /** Returned unchanged; null when none was sent. */
  readonly state: string | null
  /** The S256 code challenge (RFC 7636). */
  readonly challenge: string
  readonly scopes: readonly Scope[]
  readonly resource: string
  /** The client cannot act for a guest, so the consent page does not offer it (decision 12). */
  readonly accountRequired: boolean
  /** Keyed hash of the browser's cookie. */
  readonly browserHash: string
  readonly createdAt: Instant
  readonly expiresAt: Instant
  /** null: not decided yet. */
  readonly decision: ApprovalDecision | null
  readonly decidedAt: Instant | null
}
