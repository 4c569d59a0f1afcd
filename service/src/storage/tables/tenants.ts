/** Row types of tenants; see tables.ts. */

import type { AuditAction, RuntimeProfile } from '@gatehouse-auth/contract'
import type { Generated } from 'kysely'
import type { AccountId, ResourceId, TenantId } from '../../domain/ids.ts'
import type { CallbackMode } from '../../domain/login/login-code.ts'
import type { Actor } from '../../domain/tenants/audit.ts'
import type { Feedback } from '../../domain/tenants/feedback.ts'
import type { PauseReason, TenantOrigin } from '../../domain/tenants/tenant.ts'
import type { TenantKeyKind } from '../../domain/tenants/tenant-keys.ts'
import type { Id } from '../engine.ts'

export interface TenantTables {
  tenants: {
    /** Three words and a random suffix; public, part of every login link. */
    id: TenantId
    /**
     * How it was created: `genesis`, `mcp` or `bootstrap`; a project that its owner created at
     * `/account` has `bootstrap`.
     */
    origin: TenantOrigin
    /** The runtime profile it was created on. Never changes. */
    profile: RuntimeProfile
    created_at: number
    /** When a guest expires. Null once claimed; set again when the tenant is ended. */
    expires_at: number | null
    /** When it was claimed; null for a guest. */
    claimed_at: number | null
    /** The account that owns it; null for a guest. */
    owner_account_id: AccountId | null
    /** When a hard cap paused it; null if it isn't paused. Approval of a claim clears it. */
    paused_at: number | null
    /** Which cap: `lifetime_events` or `stored_users`. */
    pause_reason: PauseReason | null
    /** When the operator suspended it; null if it isn't suspended. Only the operator clears it. */
    suspended_at: number | null
    /** Why, in the operator's words. The owner reads it. */
    suspension_reason: string | null
    /** How often it was suspended or lifted: the order of those revocations. */
    suspension_generation: Generated<number>
    /** When it became a tombstone; null before that. */
    ended_at: number | null
    /**
     * The guest (a cookie) whose OAuth grant created it; null if it was created in another way.
     * Hashed.
     */
    creator_guest_hash: string | null
    /**
     * How often the owner replaced the keys. A form that replaces them names the current
     * generation, so it works once.
     */
    key_generation: Generated<number>
    /**
     * When the owner last replaced them; for a minute the same browser can see the new keys again.
     */
    keys_replaced_at: number | null
    /**
     * What the owner calls the project in the console; null: nothing. Deleted when the tenant ends.
     */
    name: Generated<string | null>
  }
  tenant_keys: {
    /** The key. Hashed. */
    hash: string
    tenant_id: TenantId
    /** `management` or `application`. */
    kind: TenantKeyKind
    /**
     * 1: the tenant had an owner when the key was issued. 0: a guest's key, which shows no users of
     * its later owner's other projects.
     */
    issued_to_owner: number
    /** When it was issued. */
    created_at: number
    /** When a replaced key stops working; null if it wasn't replaced. */
    expires_at: number | null
    /**
     * When it was used, written at most once an hour, after the response; null if it wasn't used
     * yet.
     */
    last_used_at: Generated<number | null>
  }
  tenant_credentials: {
    tenant_id: TenantId
    /** Both keys. Sealed. */
    sealed: Uint8Array
    /** When. */
    sealed_at: number
  }
  idempotency_keys: {
    /** The account or guest, the operation, and the key. Hashed. */
    scope: string
    /** The tenant that was created. */
    tenant_id: TenantId
    /** When. */
    created_at: number
  }
  resources: {
    /** The generation's number; a claim of every access token. */
    id: Id<ResourceId>
    tenant_id: TenantId
    /** `social-login`. */
    kind: 'social-login'
    /** `active`, or `deleting` while its rows are being deleted. */
    status: 'active' | 'deleting'
    /** The list, in canonical form, as JSON. */
    callback_urls: string
    /** When it was first provisioned. */
    created_at: number
    /** When the list was last replaced. */
    updated_at: number
    /** When it was deleted. */
    deleted_at: number | null
    /** How long the previous refresh token returns the same pair without an `Idempotency-Key`. */
    refresh_leeway_seconds: Generated<number>
    /** `either`, or `code`: logins must end with a one-time code. */
    callback_mode: Generated<CallbackMode>
    /**
     * 1: users who pressed Continue aren't asked again for 30 days (`consents`). Owned tenants
     * only.
     */
    remember_consent: Generated<number>
    /** The Workspace domains whose accounts may sign in, as a JSON list in lower case. */
    allowed_domains: Generated<string>
    /**
     * The addresses that may sign in, as a JSON list in lower case. Both lists empty: every
     * account.
     */
    allowed_emails: Generated<string>
    /** The claims of a user who signs in while there is no other, as JSON; null: none. */
    first_user_claims: Generated<string | null>
    /** The audiences of ID tokens and the claims in all of them, as JSON; null: none are issued. */
    id_tokens: Generated<string | null>
    /** `open`, or `invited`: only users, the two lists and people with an invitation come in. */
    admission: Generated<'open' | 'invited'>
    /** The last event that is included in `day_tallies`. */
    tallied_through: Generated<number>
  }
  edge_sessions: {
    /** The token (`svc_es_…`). Hashed. */
    hash: string
    /** The tenant of the application key. */
    tenant_id: TenantId
    /** A minute after it was issued. */
    expires_at: number
  }
  request_records: {
    /** A number. */
    id: Id
    /** The tenant whose key was used. */
    tenant_id: TenantId
    /** When the response was sent. */
    at_ms: number
    /** `GET`, `POST`, `PUT`, `PATCH` or `DELETE`. */
    method: string
    /** The path as in the contract, with `:names` for parameters. */
    route: string
    /** The HTTP status. */
    status: number
    /** The duration. */
    ms: number
    /** As in the response's `X-Request-Id` and in the log. */
    request_id: string
  }
  feedback: {
    /** A number. */
    id: Id
    /** The tenant whose key was used. */
    tenant_id: TenantId
    /** The tenant's owner at that time, if any. */
    account_id: AccountId | null
    /** `service` or `discount`. */
    kind: Feedback['kind']
    /** The message. */
    text: string
    /** The token that proves an accepted discount report; otherwise null. Hashed. */
    token_hash: string | null
    /** When. */
    created_at: number
  }
  /** The audit: management actions, numbered per tenant. */
  actions: {
    tenant_id: TenantId
    /** Counts per tenant from 1 (`audit-ids` in `counters`). */
    id: number
    /** When. */
    at_ms: number
    /**
     * `key:` and the first 8 characters of a key's hash, `account:` and its id, `grant:` and its
     * id, `person` or `operator`.
     */
    actor: Actor
    /** One of a closed list (`contract/src/schemas/audit.ts`). */
    action: AuditAction
    /** What was changed, such as `session:7` or the names of settings. */
    target: string | null
    /** As in the response's `X-Request-Id` and in the log. */
    request_id: string
  }
  blocked_hosts: {
    /** A host name in Punycode, or an IPv4 address. The names below it are blocked too. */
    host: string
    /** Why, in the operator's words; for operators only. */
    reason: string
    /** When it was blocked. */
    blocked_at: number
  }
}
