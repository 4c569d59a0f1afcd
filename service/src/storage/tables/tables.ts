import type { Tier, UserMessageKind, WebhookError } from '@gatehouse-auth/contract'
import type { Generated } from 'kysely'
import type * as idTypes from '../../domain/ids.ts'
import type { ApprovalDecision } from '../../domain/oauth/grant.ts'
import type { Revocation } from '../../domain/revocation/revocation.ts'
import type { DisabledReason } from '../../domain/webhooks/webhook.ts'
import type { Id } from '../engine.ts'
import type { SocialLoginTables } from './login.ts'
import type { TenantTables } from './tenants.ts'

/**
 * Row types, the same for both engines. Times are integers in milliseconds, there are no booleans, JSON is text, and bytes
 * are Uint8Array. docs/storage.md explains every column.
 */
export interface Tables extends TenantTables, SocialLoginTables {
  revocations: {
    id: Id
    kind: Revocation['kind']
    tenant_id: idTypes.TenantId
    /** The session or resource that it revokes; the first session of `sessions-lost`. */
    subject_id: number | null
    generation: number | null
    until_ms: number
    /** The last session of `sessions-lost`. */
    last_id: number | null
  }
  key_checks: {
    kid: string
    proof: string
    added_at: number
  }
  migration_hashes: {
    name: string
    hash: string
  }
  /** One row, or none before the first connection to PostgreSQL and before `restored` on SQLite. */
  lineage: {
    id: number
    /** Of PostgreSQL's control file; with the timeline, it identifies a history. */
    system_id: string
    timeline: number
    /** Identifies this lineage to the processes that are connected. */
    mark: string
    since_ms: number
    /** Users and events get ids above this one. */
    id_floor: number
    /** The marks of the lineages that this one continues, the parent first: `mark@position`. */
    ancestors: Generated<string>
  }

  // Owners, their sessions and sign-ins.
  accounts: {
    id: Id<idTypes.AccountId>
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
    id: Id<idTypes.AccountSessionId>
    hash: string
    account_id: idTypes.AccountId
    device: string | null
    created_at: number
    last_used_at: number
    expires_at: number
  }
  account_sign_ins: {
    id: idTypes.SignInId
    browser_hash: string
    next_path: string
    /** The client of a project that the owner tries; null: a sign-in to the account. */
    tested_tenant_id: idTypes.TenantId | null
    tested_client_id: idTypes.ProviderClientId | null
    created_at: number
    expires_at: number
    taken_at: number | null
  }

  // The page `/me`.
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
    tenant_id: idTypes.TenantId
    resource_id: idTypes.ResourceId
    user_id: idTypes.UserId
    requested_at: number
    request_id: string
  }

  // The authorization server. Scopes are separated by spaces, as on the wire.
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
    id: Id<idTypes.GrantId>
    client_id: string
    client_name: string
    /** Exactly one of these two is null. */
    account_id: idTypes.AccountId | null
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
    grant_id: idTypes.GrantId
    redirect_uri: string
    challenge: string
    expires_at: number
    used_at: number | null
  }
  oauth_access_tokens: {
    hash: string
    grant_id: idTypes.GrantId
    /** A subset of the grant's. */
    scopes: string
    expires_at: number
  }
  oauth_refresh_tokens: {
    hash: string
    grant_id: idTypes.GrantId
    expires_at: number
    /** When it was rotated; a later use is a replay. */
    used_at: number | null
  }

  // Webhooks.
  webhooks: {
    tenant_id: idTypes.TenantId
    id: idTypes.WebhookId
    url: string
    /** JSON. */
    events: string
    /** Both secrets are encrypted for this endpoint; see domain/tokens/secret.ts. */
    sealed: Uint8Array
    previous_sealed: Uint8Array | null
    previous_until: number | null
    cursor: number
    replay_after: number | null
    replay_until: number | null
    status: 'active' | 'disabled'
    disabled_reason: DisabledReason | null
    failing_since: number | null
    failures: number
    lease_until: number | null
    next_look_at: number | null
    /** The id of the last row of its log. */
    attempts: number
    created_at: number
  }
  webhook_retries: {
    tenant_id: idTypes.TenantId
    webhook_id: idTypes.WebhookId
    event_id: number
    /** How many attempts failed. */
    attempt: number
    due_at: number
  }
  webhook_messages: {
    tenant_id: idTypes.TenantId
    webhook_id: idTypes.WebhookId
    user_id: idTypes.UserId
    kind: UserMessageKind
    /** Only of a deleted user. */
    email: string | null
    version: number
    at_ms: number
    /** How many attempts failed. */
    attempt: number
    due_at: number
  }
  webhook_attempts: {
    tenant_id: idTypes.TenantId
    webhook_id: idTypes.WebhookId
    /** Counts per endpoint. */
    id: number
    type: string
    /** null: no event of the history. */
    event_id: number | null
    attempt: number
    at_ms: number
    status: number | null
    ms: number
    error: WebhookError | null
  }
}
