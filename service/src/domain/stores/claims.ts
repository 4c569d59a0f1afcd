/** The store of claims. */

import type { Claim, NewClaim } from '../claims/claim.ts'
import type { AccountId, ClaimId, TenantId } from '../ids.ts'
import type { Instant } from '../time.ts'

export interface ClaimStore {
  /** Adds a claim, supersedes the pending one of this tenant, and deletes those that expired more than an hour ago. */
  open(claim: NewClaim, tokenHash: string, waitHash: string): Promise<Claim>
  findByToken(hashes: readonly string[]): Promise<Claim | null>
  findByWaitToken(hashes: readonly string[]): Promise<Claim | null>
  /**
   * pending → decided, once, before it expires; otherwise false. Waits for a concurrent decision. Wakes the long polls of
   * the tenant. `decisionHash` identifies the decision if it is sent again.
   */
  decide(
    claimId: ClaimId,
    decision: 'approved' | 'denied',
    accountId: AccountId,
    now: Instant,
    decisionHash?: string,
  ): Promise<boolean>
  removeByTenant(tenantId: TenantId): Promise<void>
}
