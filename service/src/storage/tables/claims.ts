/** Row types of claims; see tables.ts. */

import type { Claim } from '../../domain/claims/claim.ts'
import type { AccountId, ClaimId, TenantId } from '../../domain/ids.ts'
import type { Id } from '../engine.ts'

export interface ClaimTables {
  claims: {
    id: Id<ClaimId>
    tenant_id: TenantId
    token_hash: string
    wait_hash: string
    confirmation_code: string
    decision: Claim['decision']
    created_at: number
    expires_at: number
    decided_at: number | null
    /** The account that decided. */
    decided_by: AccountId | null
    decision_hash: string | null
  }
}
