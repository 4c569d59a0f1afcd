/** Row types of social login; see tables.ts. */

import type { AuthEventKind, RefusalCode, RefusalStep } from '@gatehouse-auth/contract'
import type { Generated } from 'kysely'
import type * as ids from '../../domain/ids.ts'
import type { AttemptStage, LoginOutcome } from '../../domain/login/attempt.ts'
import type { CallbackMode } from '../../domain/login/login-code.ts'
import type { Refusal } from '../../domain/login/refusal.ts'
import type { ProviderName } from '../../domain/providers/provider-client.ts'
import type { Id } from '../engine.ts'

export interface SocialLoginTables {
  resources: {
    id: Id<ids.ResourceId>
    tenant_id: ids.TenantId
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
  users: {
    /** Counts per tenant. */
    id: ids.UserId
    tenant_id: ids.TenantId
    resource_id: ids.ResourceId
    issuer: string
    subject: string
    email: string
    name: string | null
    /** The folded name, for searches (`nameKey`). */
    name_key: string | null
    picture: string | null
    first_seen: number
    last_seen: number
    blocked_at: number | null
    /** JSON; null: none. */
    metadata: string | null
    /** The same. */
    claims: string | null
    /** Of the browser that signed in last. */
    browser_hash: string | null
  }
  /** An identity of a user who has several. */
  identities: {
    resource_id: ids.ResourceId
    issuer: string
    subject: string
    tenant_id: ids.TenantId
    user_id: ids.UserId
    email: string
    name: string | null
    picture: string | null
    /** 1: the user is shown with this profile, whichever identity signs in. */
    pinned: number
    last_seen: number
  }
  sessions: {
    id: Id<ids.SessionId>
    tenant_id: ids.TenantId
    resource_id: ids.ResourceId
    user_id: ids.UserId
    salt: Uint8Array
    generation: number
    created_at: number
    rotated_at: number
    /** When the previous generation was issued: bounds the lifetime of its access token. */
    previous_rotated_at: number | null
    expires_at: number
    absolute_expires_at: number
    idempotency_hash: string | null
    /** The generation whose tokens were last issued again by a late repeat, and until when they can be (replay.ts). */
    late_generation: number | null
    late_until: number | null
    /** When the sweeper checks the session next; indexed instead of `expires_at`, which every refresh moves (sessions.ts). */
    sweep_at: number
  }
  events: {
    /** Counts per tenant. */
    id: number
    tenant_id: ids.TenantId
    resource_id: ids.ResourceId
    event: AuthEventKind
    user_id: ids.UserId | null
    email: string | null
    redirect_uri: string | null
    return_to: string | null
    metadata: string
    created_at: number
  }
  day_tallies: {
    tenant_id: ids.TenantId
    resource_id: ids.ResourceId
    /** `2026-01-31`, in UTC. */
    day: string
    event: AuthEventKind
    count: number
  }
  login_attempts: {
    id: ids.AttemptId
    tenant_id: ids.TenantId
    redirect_uri: string
    return_to: string | null
    provider: ProviderName
    /** The owner's client that it began with; null: the operator's. */
    provider_client_id: ids.ProviderClientId | null
    browser_hash: string
    challenge: string | null
    invitation_id: ids.InvitationId | null
    /** The session whose user adds an identity; null: a sign-in. */
    link_session_id: ids.SessionId | null
    /** 1: the provider was asked to show its account chooser. */
    chooser: number
    /** 1: the consent page says that Continue is remembered. */
    remember: number
    stage: AttemptStage
    /** The user's profile and Workspace, from *identified* to *decided*; all six are null otherwise. */
    hosted_domain: string | null
    issuer: string | null
    subject: string | null
    email: string | null
    name: string | null
    picture: string | null
    /** These two are set by the decision. */
    outcome: LoginOutcome | null
    decided_at: number | null
    /** The session that the decision started. */
    session_id: ids.SessionId | null
    created_at: number
    expires_at: number
  }
  login_codes: {
    tenant_id: ids.TenantId
    hash: string
    resource_id: ids.ResourceId
    user_id: ids.UserId
    challenge: string
    redirect_uri: string
    wrong_verifiers: number
    used_at: number | null
    /** The session that the exchange started. */
    session_id: ids.SessionId | null
    expires_at: number
  }
  /** A press of Continue that is remembered. */
  consents: {
    tenant_id: ids.TenantId
    resource_id: ids.ResourceId
    user_id: ids.UserId
    host: string
    provider: ProviderName
    browser_hash: string
    brand_hash: string
    at: number
  }
  invitations: {
    tenant_id: ids.TenantId
    id: ids.InvitationId
    /** Of the secret in its link. */
    hash: string
    email: string | null
    /** JSON. */
    claims: string
    uses: number
    used: number
    created_at: number
    expires_at: number
  }
  edge_sessions: {
    hash: string
    tenant_id: ids.TenantId
    expires_at: number
  }
  /** Refused sign-ins by kind: step, code and the part of the redirect URI, or the parameter, that is wrong. */
  refusals: {
    tenant_id: ids.TenantId
    kind: string
    step: RefusalStep
    code: RefusalCode
    differs: Refusal['differs']
    sent: string | null
    closest: string | null
    count: number
    first_at: number
    last_at: number
  }
}
