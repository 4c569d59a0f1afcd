/** Row types of claims; see tables.ts. */

import type { Claim } from '../../domain/claims/claim.ts'
import type { AccountId, ClaimId, TenantId } from '../../domain/ids.ts'
import type { Id } from '../engine.ts'

export interface ClaimTables {
  claims: {
    /** A number, part of the claim page's URL; shows nothing without the link's cookie. */
    id: Id<ClaimId>
    /** The tenant to be claimed. */
    tenant_id: TenantId
    /** The secret in the link `/c/…`. Hashed. */
    token_hash: string
    /** The wait token (`svc_wt_…`). Hashed. */
    wait_hash: string
    /** Six characters that the agent prints and the page shows. Gives no access. */
    confirmation_code: string
    /** `pending`, `approved`, `denied` or `superseded`. */
    decision: Claim['decision']
    /** When the agent requested it. */
    created_at: number
    /** Half an hour later, or when the guest expires. */
    expires_at: number
    /** When it was decided or superseded. */
    decided_at: number | null
    /** The account that decided. */
    decided_by: AccountId | null
    /**
     * Identifies the decision and the session that made it, if the decision is sent again. Hashed.
     */
    decision_hash: string | null
  }
}
