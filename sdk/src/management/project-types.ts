import type { AuthEventData, AuthEventKind } from '../webhooks/webhook-event.ts'
import type { PageOptions } from './user-types.ts'

/** How social login behaves. */
export interface SocialLoginSettings {
  readonly refresh_leeway_seconds: number
  /** `code`: every login must start with a `code_challenge`. */
  readonly callback_mode: 'either' | 'code'
  /** A user who pressed Continue is not asked again for 30 days, in the same browser. Claimed tenants only. */
  readonly remember_consent: boolean
  /** Google Workspace domains whose accounts may sign in. Empty with `allowed_emails`: every Google account. */
  readonly allowed_domains: readonly string[]
  /** Addresses that may sign in, besides the accounts of `allowed_domains`. */
  readonly allowed_emails: readonly string[]
}

/** A kind of refused sign-in, and how often it happened in the last 24 hours. */
export interface Refusal {
  readonly step: 'start' | 'callback' | 'exchange'
  readonly code: string
  readonly count: number
  readonly first_at_ms: number
  readonly last_at_ms: number
  /** The newest `redirect_uri` that was refused. Anyone can open a login link: it may be a URL of a stranger. */
  readonly sent?: string | undefined
  /** The registered callback URL that is most similar. */
  readonly closest?: string | undefined
  /** The part of the URL that differs. */
  readonly differs?: string | undefined
  readonly meaning: string
  /** What to do about it. */
  readonly fix: string
}

/** One management action. The audit never has values. */
export interface AuditEntry {
  readonly id: number
  readonly at_ms: number
  /** Such as `key:1f0c9a2b`, `account:7` or `operator`. */
  readonly actor: string
  readonly action: AuditAction
  /** What was changed, such as `user:7` or the names of settings; the reason that the operator gave. */
  readonly target: string | null
  readonly request_id: string
}

export type AuditAction =
  | 'claim.requested'
  | 'tenant.claimed'
  | 'tenant.keys_replaced'
  | 'tenant.renamed'
  | 'tenant.suspended'
  | 'tenant.lifted'
  | 'tenant.sessions_ended'
  | 'tenant.deleted'
  | 'social_login.provisioned'
  | 'social_login.removed'
  | 'settings.changed'
  | 'provider.changed'
  | 'provider.removed'
  | 'provider.tested'
  | 'session.ended'
  | 'user.blocked'
  | 'user.unblocked'
  | 'user.deleted'
  | 'user.sessions_ended'
  | 'user.metadata_changed'
  | 'user.removal_requested'
  | 'user.removal_withdrawn'
  | 'user.consent_forgotten'
  | 'users.exported'
  | 'users.imported'
  | 'brand.changed'
  | 'brand.deleted'
  | 'brand.logo_changed'
  | 'brand.logo_deleted'
  | 'domain.added'
  | 'domain.verified'
  | 'domain.lapsed'
  | 'domain.deleted'
  | 'webhook.created'
  | 'webhook.changed'
  | 'webhook.deleted'
  | 'webhook.secret_rotated'
  | 'webhook.replayed'

export type AuthEvent = Omit<AuthEventData, 'tenant_id'>

export interface EventQuery extends PageOptions {
  readonly user_id?: number | undefined
  readonly event?: AuthEventKind | undefined
  /** Seconds to wait for a new event: at most 25, and less than `timeoutMs`. */
  readonly wait?: number | undefined
}
