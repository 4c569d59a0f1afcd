/** Row types of what ownership adds; see tables.ts. */

import type { AuthEventKind } from '@gatehouse/contract'
import type { AccountId, AccountSessionId, ClaimId, ResourceId, SignInId, TenantId } from '../domain/ids.ts'
import type { Claim } from '../domain/tenants/claim.ts'
import type { Feedback } from '../domain/tenants/feedback.ts'
import type { Id } from './row-id.ts'

export interface OwnershipTables {
  account_sessions: AccountSessionRow
  account_sign_ins: AccountSignInRow
  claims: ClaimRow
  request_records: RequestRecordRow
  feedback: FeedbackRow
  day_tallies: DayTallyRow
}

interface AccountSessionRow {
  id: Id<AccountSessionId>
  hash: string
  account_id: AccountId
  created_at: number
  last_used_at: number
  expires_at: number
}

interface AccountSignInRow {
  id: SignInId
  browser_hash: string
  next_path: string
  created_at: number
  expires_at: number
  taken_at: number | null
}

interface ClaimRow {
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
}

interface RequestRecordRow {
  id: Id
  tenant_id: TenantId
  at_ms: number
  method: string
  route: string
  status: number
  ms: number
  request_id: string
}

interface FeedbackRow {
  id: Id
  tenant_id: TenantId
  account_id: AccountId | null
  kind: Feedback['kind']
  text: string
  /** Only an accepted discount report has one. */
  token_hash: string | null
  created_at: number
}

interface DayTallyRow {
  tenant_id: TenantId
  resource_id: ResourceId
  /** `2026-01-31`, in UTC. */
  day: string
  event: AuthEventKind
  count: number
}
