/** Row types of owners, their sessions and sign-ins; see tables.ts. */

import type { Tier } from '@gatehouse/contract'
import type { AccountId, AccountSessionId, ProviderClientId, SignInId, TenantId } from '../../domain/ids.ts'
import type { Id } from '../row-id.ts'

export interface AccountTables {
  accounts: AccountRow
  account_sessions: AccountSessionRow
  account_sign_ins: AccountSignInRow
}

interface AccountRow {
  id: Id<AccountId>
  issuer: string
  subject: string
  email: string
  name: string | null
  tier: Exclude<Tier, 'ephemeral'>
  /** null: PROJECTS_PER_ACCOUNT of the contract. */
  project_limit: number | null
  created_at: number
  last_seen: number
}

interface AccountSessionRow {
  id: Id<AccountSessionId>
  hash: string
  account_id: AccountId
  device: string | null
  created_at: number
  last_used_at: number
  expires_at: number
}

interface AccountSignInRow {
  id: SignInId
  browser_hash: string
  next_path: string
  /** The client of a project that the owner tries; null: a sign-in to the account. */
  tested_tenant_id: TenantId | null
  tested_client_id: ProviderClientId | null
  created_at: number
  expires_at: number
  taken_at: number | null
}
