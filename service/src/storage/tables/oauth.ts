/** Row types of the authorization server; see tables.ts. Scopes are separated by spaces, as on the wire. */

import type { AccountId, GrantId } from '../../domain/ids.ts'
import type { ApprovalDecision } from '../../domain/oauth/grant.ts'
import type { Id } from '../engine.ts'

export interface OAuthTables {
  oauth_approvals: {
    /** The secret that identifies the request in the consent page's URL. Hashed. */
    hash: string
    /** The client. */
    client_id: string
    /** The name the client gave itself. */
    client_name: string
    /** Where the client wants the response. */
    redirect_uri: string
    /** The client's `state`, returned unchanged. */
    state: string | null
    /** The PKCE challenge. Gives no access without the verifier. */
    challenge: string
    /** The requested scopes. */
    scopes: string
    /** The requested resource: `{base_url}/mcp`. */
    resource: string
    /** 1: continuing as a guest isn't offered. */
    account_required: number
    /** The cookie of the browser that sent the request. Hashed. */
    browser_hash: string
    /** When it arrived. */
    created_at: number
    /** Ten minutes later, and at least a minute after `decided_at`. */
    expires_at: number
    /** `allowed` or `denied`; null until then. A request can be decided once. */
    decision: ApprovalDecision | null
    /** When it was decided. */
    decided_at: number | null
  }
  oauth_grants: {
    /** Identifies it on the account page. */
    id: Id<GrantId>
    /** The client. */
    client_id: string
    /** The name the client gave itself. */
    client_name: string
    /** The account it acts for. Exactly one of this and `guest_hash` is null. */
    account_id: AccountId | null
    /** The guest (a cookie) it acts for. Hashed. */
    guest_hash: string | null
    /** The granted scopes. */
    scopes: string
    /** The resource its tokens are valid for: `{base_url}/mcp`. */
    resource: string
    /** When it was granted. */
    created_at: number
    /** When it was last used, approximately. */
    last_used_at: number
    /** When its last code or token expires; at most `revoked_at`. */
    ends_at: number
    /** When it was revoked. */
    revoked_at: number | null
  }
  oauth_codes: {
    /** The code (`mcp_ac_…`). Hashed. */
    hash: string
    /** The grant. */
    grant_id: GrantId
    /** Must be sent again with the code. */
    redirect_uri: string
    /** The PKCE challenge that the verifier must match. */
    challenge: string
    /** A minute after it was issued. */
    expires_at: number
    /** When it was used. */
    used_at: number | null
  }
  oauth_access_tokens: {
    /** The token (`mcp_at_…`). Hashed. */
    hash: string
    /** The grant. */
    grant_id: GrantId
    /** The token's scopes; never more than the grant's. */
    scopes: string
    /** An hour after it was issued. */
    expires_at: number
  }
  oauth_refresh_tokens: {
    /** The token (`mcp_rt_…`). Hashed. */
    hash: string
    /** The grant. */
    grant_id: GrantId
    /** 30 days after it was issued. */
    expires_at: number
    /** When it was exchanged for the next one. */
    used_at: number | null
  }
}
