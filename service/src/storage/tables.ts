/**
 * Row types: one description for both engines. Times are integers in milliseconds, there are no booleans, JSON is
 * text, and bytes are Uint8Array. What each column means: the domain type it becomes.
 */

import type { AuthEventKind, RuntimeProfile, Tier } from '@gatehouse/contract'
import type { Generated } from 'kysely'
import type { AccountId, AttemptId, ResourceId, SessionId, TenantId, UserId } from '../domain/ids.ts'
import type { CounterWindow } from '../domain/limits/counter.ts'
import type { AttemptStage } from '../domain/login/attempt.ts'
import type { Revocation } from '../domain/revocation/revocation.ts'
import type { PauseReason, TenantOrigin } from '../domain/tenants/tenant.ts'
import type { TenantKeyKind } from '../domain/tenants/tenant-keys.ts'
import type { Id } from './row-id.ts'
import type { CredentialsTables } from './tables-credentials.ts'
import type { OAuthTables } from './tables-oauth.ts'
import type { OwnershipTables } from './tables-ownership.ts'

export interface Tables extends OwnershipTables, CredentialsTables, OAuthTables {
  accounts: AccountRow
  tenants: TenantRow
  tenant_keys: TenantKeyRow
  edge_sessions: EdgeSessionRow
  login_attempts: AttemptRow
  counters: CounterRow
  key_checks: KeyCheckRow
  resources: ResourceRow
  users: UserRow
  sessions: SessionRow
  events: EventRow
  revocations: RevocationRow
}

interface AccountRow {
  id: Id<AccountId>
  issuer: string
  subject: string
  email: string
  name: string | null
  tier: Exclude<Tier, 'ephemeral'>
  created_at: number
  last_seen: number
}

interface TenantRow {
  id: TenantId
  origin: TenantOrigin
  profile: RuntimeProfile
  created_at: number
  expires_at: number | null
  claimed_at: number | null
  owner_account_id: AccountId | null
  paused_at: number | null
  pause_reason: PauseReason | null
  /** From here on it is a tombstone. */
  ended_at: number | null
  /** The guest whose grant created it, as a keyed hash. */
  creator_guest_hash: string | null
}

interface TenantKeyRow {
  hash: string
  tenant_id: TenantId
  kind: TenantKeyKind
  created_at: number
  /** A replaced key works until then; null: until the tenant is gone. */
  expires_at: number | null
}

interface EdgeSessionRow {
  hash: string
  tenant_id: TenantId
  expires_at: number
}

interface AttemptRow {
  id: AttemptId
  tenant_id: TenantId
  redirect_uri: string
  return_to: string | null
  browser_hash: string
  stage: AttemptStage
  /** The person, from *identified* to *decided*; all five null otherwise. */
  issuer: string | null
  subject: string | null
  email: string | null
  name: string | null
  picture: string | null
  created_at: number
  expires_at: number
}

interface CounterRow {
  scope: string
  /** The counter's window; `window` is a keyword in SQL. */
  bucket: CounterWindow
  starts_at: number
  used: number
}

interface KeyCheckRow {
  kid: string
  proof: string
}

interface ResourceRow {
  id: Id<ResourceId>
  tenant_id: TenantId
  kind: 'social-login'
  status: 'active' | 'deleting'
  callback_urls: string
  created_at: number
  updated_at: number
  deleted_at: number | null
  /** The last event that is in day_tallies. */
  tallied_through: Generated<number>
}

interface UserRow {
  id: Id<UserId>
  tenant_id: TenantId
  resource_id: ResourceId
  issuer: string
  subject: string
  email: string
  name: string | null
  picture: string | null
  first_seen: number
  last_seen: number
}

interface SessionRow {
  id: Id<SessionId>
  tenant_id: TenantId
  resource_id: ResourceId
  user_id: UserId
  salt: Uint8Array
  generation: number
  created_at: number
  rotated_at: number
  /** When the generation before this one was issued: how long its access token could still be in date. */
  previous_rotated_at: number | null
  expires_at: number
  absolute_expires_at: number
  fingerprint: string | null
  idempotency_hash: string | null
  /** When the sweeper looks next. Indexed, so that the moving expires_at need not be; see sessions.ts. */
  sweep_at: number
}

interface EventRow {
  id: Id
  tenant_id: TenantId
  resource_id: ResourceId
  event: AuthEventKind
  user_id: UserId | null
  email: string | null
  redirect_uri: string | null
  return_to: string | null
  metadata: string
  created_at: number
}

interface RevocationRow {
  id: Id
  kind: Revocation['kind']
  tenant_id: TenantId
  /** The session or resource it is about. */
  subject_id: number | null
  generation: number | null
  until_ms: number
}
