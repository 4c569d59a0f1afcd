/** Row types of owners and of the people who use apps, with their sessions and sign-ins; see tables.ts. */

import type { Tier } from '@gatehouse-auth/contract'
import type {
  AccountId,
  AccountSessionId,
  ProviderClientId,
  ResourceId,
  SignInId,
  TenantId,
  UserId,
} from '../../domain/ids.ts'
import type { Id } from '../engine.ts'

export interface AccountTables {
  accounts: {
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
  account_sessions: {
    id: Id<AccountSessionId>
    hash: string
    account_id: AccountId
    device: string | null
    created_at: number
    last_used_at: number
    expires_at: number
  }
  account_sign_ins: {
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
  me_sessions: {
    hash: string
    issuer: string
    subject: string
    email: string
    name: string | null
    created_at: number
    expires_at: number
  }
  removal_requests: {
    tenant_id: TenantId
    resource_id: ResourceId
    user_id: UserId
    requested_at: number
    request_id: string
  }
}
