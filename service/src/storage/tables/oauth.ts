/** Row types of the authorization server; see tables.ts. Scopes are separated by spaces, as on the wire. */

import type { AccountId, GrantId } from '../../domain/ids.ts'
import type { ApprovalDecision } from '../../domain/oauth/grant.ts'
import type { Id } from '../engine.ts'

export interface OAuthTables {
  oauth_approvals: {
    hash: string
    client_id: string
    client_name: string
    redirect_uri: string
    state: string | null
    challenge: string
    scopes: string
    resource: string
    /** 1: continuing as a guest is not offered. */
    account_required: number
    browser_hash: string
    created_at: number
    expires_at: number
    decision: ApprovalDecision | null
    decided_at: number | null
  }
  oauth_grants: {
    id: Id<GrantId>
    client_id: string
    client_name: string
    /** Exactly one of these two is null. */
    account_id: AccountId | null
    guest_hash: string | null
    scopes: string
    resource: string
    created_at: number
    last_used_at: number
    /** When its last code or token expires; at most `revoked_at`. */
    ends_at: number
    revoked_at: number | null
  }
  oauth_codes: {
    hash: string
    grant_id: GrantId
    redirect_uri: string
    challenge: string
    expires_at: number
    used_at: number | null
  }
  oauth_access_tokens: {
    hash: string
    grant_id: GrantId
    /** A subset of the grant's. */
    scopes: string
    expires_at: number
  }
  oauth_refresh_tokens: {
    hash: string
    grant_id: GrantId
    expires_at: number
    /** When it was rotated; a later use is a replay. */
    used_at: number | null
  }
}
