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
    id: TenantId
    origin: TenantOrigin
    profile: RuntimeProfile
    created_at: number
    expires_at: number | null
    claimed_at: number | null
    owner_account_id: AccountId | null
    paused_at: number | null
    pause_reason: PauseReason | null
    suspended_at: number | null
    suspension_reason: string | null
    /** How often the tenant was suspended or lifted. */
    suspension_generation: Generated<number>
    /** Set: the row is a tombstone. */
    ended_at: number | null
    /** The guest whose grant created it, as a keyed hash. */
    creator_guest_hash: string | null
    /** How often the owner replaced the keys, and when last. */
    key_generation: Generated<number>
    keys_replaced_at: number | null
    /** What the owner calls the project; null: nothing. */
    name: Generated<string | null>
  }
  tenant_keys: {
    hash: string
    tenant_id: TenantId
    kind: TenantKeyKind
    /** 1: the tenant had an owner when the key was issued; 0: it is a guest's key, which a claim leaves valid. */
    issued_to_owner: number
    created_at: number
    /** When a replaced key stops working; null: it was not replaced. */
    expires_at: number | null
    /** To the hour; null: it was not used yet. */
    last_used_at: Generated<number | null>
  }
  tenant_credentials: {
    tenant_id: TenantId
    /** Both keys, encrypted for this tenant; see domain/tokens/secret.ts. */
    sealed: Uint8Array
    sealed_at: number
  }
  idempotency_keys: {
    /** Keyed hash of the account or guest, the operation, and the key. */
    scope: string
    tenant_id: TenantId
    created_at: number
  }
  resources: {
    id: Id<ResourceId>
    tenant_id: TenantId
    kind: 'social-login'
    status: 'active' | 'deleting'
    callback_urls: string
    created_at: number
    updated_at: number
    deleted_at: number | null
    refresh_leeway_seconds: Generated<number>
    callback_mode: Generated<CallbackMode>
    /** 1: consent is remembered. */
    remember_consent: Generated<number>
    /** Lists in JSON. */
    allowed_domains: Generated<string>
    allowed_emails: Generated<string>
    /** JSON; null: none. */
    first_user_claims: Generated<string | null>
    id_tokens: Generated<string | null>
    admission: Generated<'open' | 'invited'>
    /** The last event that is included in `day_tallies`. */
    tallied_through: Generated<number>
  }
  edge_sessions: {
    hash: string
    tenant_id: TenantId
    expires_at: number
  }
  request_records: {
    id: Id
    tenant_id: TenantId
    at_ms: number
    method: string
    route: string
    status: number
    ms: number
    request_id: string
  }
  feedback: {
    id: Id
    tenant_id: TenantId
    account_id: AccountId | null
    kind: Feedback['kind']
    text: string
    /** Null unless this is an accepted discount report. */
    token_hash: string | null
    created_at: number
  }
  /** The audit: management actions, numbered per tenant. */
  actions: {
    tenant_id: TenantId
    id: number
    at_ms: number
    actor: Actor
    action: AuditAction
    target: string | null
    request_id: string
  }
  blocked_hosts: {
    /** In punycode. The names below it are blocked too. */
    host: string
    reason: string
    blocked_at: number
  }
}
