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
    /** A number, never reused. */
    id: Id<AccountId>
    /** The identity provider. */
    issuer: string
    /** The provider's id of this user; `issuer` and `subject` identify the account. */
    subject: string
    /** The verified email address at the last sign-in. */
    email: string
    /** The name at the last sign-in. */
    name: string | null
    /** `free`, `plus` or `pro`; set by the operator. */
    tier: Exclude<Tier, 'ephemeral'>
    /** How many projects it may own, if the operator set it; null: 100. */
    project_limit: number | null
    /** The first sign-in. */
    created_at: number
    /** The last sign-in. */
    last_seen: number
  }
  account_sessions: {
    /** Identifies it on the account page; gives no access. */
    id: Id<AccountSessionId>
    /** The secret in the browser's cookie. Hashed. */
    hash: string
    /** The account. */
    account_id: AccountId
    /** The browser and the system, from a closed list: `Firefox on Linux`. */
    device: string | null
    /** When it began. */
    created_at: number
    /** When it was last used, to the hour. */
    last_used_at: number
    /** 30 days after that, at most a year after `created_at`. */
    expires_at: number
  }
  account_sign_ins: {
    /**
     * Random, starts with `account_`, `provider-test_` or `me_`; part of the `state` sent to the
     * provider. Random.
     */
    id: SignInId
    /** The cookie of the browser that started it. Hashed. */
    browser_hash: string
    /** The page of Gatehouse to show afterwards. */
    next_path: string
    /** The tenant whose client the owner tests; null: a sign-in to the account. */
    tested_tenant_id: TenantId | null
    /** That client. */
    tested_client_id: ProviderClientId | null
    /** When it began. */
    created_at: number
    /** Ten minutes later. */
    expires_at: number
    /** When the provider's redirect used it. */
    taken_at: number | null
  }
  me_sessions: {
    /** The secret in the browser's cookie. Hashed. */
    hash: string
    /** The identity provider. */
    issuer: string
    /** The provider's id of the person. */
    subject: string
    /** The person's email address, for the page. */
    email: string
    /** Their name, or null. */
    name: string | null
    /** When they signed in. */
    created_at: number
    /** 30 minutes later. */
    expires_at: number
  }
  removal_requests: {
    tenant_id: TenantId
    resource_id: ResourceId
    user_id: UserId
    /** When they asked first. */
    requested_at: number
    /** Of that HTTP request, for the audit of the deletion. */
    request_id: string
  }
}
