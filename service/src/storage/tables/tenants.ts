import type {
  Accent,
  AuditAction,
  DomainMethod,
  DomainStatus,
  RuntimeProfile,
} from '@gatehouse-auth/contract'
import type { Generated } from 'kysely'
import type { Claim } from '../../domain/claims/claim.ts'
import type { AccountId, ClaimId, ProviderClientId, TenantId } from '../../domain/ids.ts'
import type { CounterWindow, EventScope } from '../../domain/limits/counter.ts'
import type { ProviderName, ProviderStatus } from '../../domain/providers/provider-client.ts'
import type { Actor } from '../../domain/tenants/audit.ts'
import type { Feedback } from '../../domain/tenants/feedback.ts'
import type { PauseReason, TenantOrigin } from '../../domain/tenants/tenant.ts'
import type { TenantKeyKind } from '../../domain/tenants/tenant-keys.ts'
import type { Id } from '../engine.ts'

/** Row types of tenants and of what belongs to one, except social login; see tables.ts. */
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
  claims: {
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
    decision_hash: string | null
  }
  counters: {
    scope: string
    /** The counter's window; `window` is a reserved word in SQL. */
    bucket: CounterWindow
    starts_at: number
    used: number
  }
  /** The events of a tenant, or of all tenants of an account. A column that the scope does not use is 0. */
  event_counts: {
    scope: EventScope
    minute_start: Generated<number>
    minute_used: Generated<number>
    /** The login starts among `minute_used`, and its sign-ins and refreshes. */
    minute_login_starts: Generated<number>
    minute_authenticated: Generated<number>
    month_start: Generated<number>
    month_used: Generated<number>
    month_login_starts: Generated<number>
    month_authenticated: Generated<number>
    lifetime_used: Generated<number>
    last_event_id: Generated<number>
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

  // Domains and brands.
  domains: {
    tenant_id: TenantId
    host: string
    status: DomainStatus
    method: DomainMethod | null
    verified_at: number | null
    checked_at: number | null
    /** When the sweep checks it next, or until when one process does. */
    next_check_at: number | null
    misses: number
    created_at: number
  }
  brands: {
    tenant_id: TenantId
    name: string
    privacy_url: string | null
    terms_url: string | null
    accent: Accent | null
    updated_at: number
  }
  /** Apart from the brand, which every consent page reads. */
  logos: {
    tenant_id: TenantId
    hash: string
    size: number
    png: Uint8Array
    updated_at: number
  }

  // Identity providers.
  provider_clients: {
    tenant_id: TenantId
    id: ProviderClientId
    provider: ProviderName
    mode: 'shared' | 'own'
    client_id: string | null
    issuer: string | null
    display_name: string | null
    /** Encrypted for this client; see domain/providers/provider-client.ts. */
    sealed: Uint8Array | null
    redirect_uri: string
    status: ProviderStatus
    created_at: number
    tested_at: number | null
    retired_at: number | null
  }

  // What the operator blocked.
  blocked_hosts: {
    /** In punycode. The names below it are blocked too. */
    host: string
    reason: string
    blocked_at: number
  }
}
