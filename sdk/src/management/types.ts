import type { ProviderClients, ProviderName } from '../login/provider.ts'
import type { User } from '../types.ts'
import type { AuthEventData, AuthEventKind } from '../webhooks/verify-webhook.ts'

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

/** Your own fields of a user: any JSON object of at most 2,048 bytes. */
export type UserMetadata = Readonly<Record<string, unknown>>

/** A user, with the fields that `include` names. Times are ISO 8601. */
export interface ManagedUser extends User {
  readonly first_seen: string
  /** Their last login or refresh. */
  readonly last_seen: string
  readonly metadata?: UserMetadata | undefined
  /** A blocked user cannot sign in. */
  readonly blocked?: boolean | undefined
  /** What identifies the user at the provider. */
  readonly identities?: readonly UserIdentity[] | undefined
}

export interface UserIdentity {
  /** `null`: an `oidc-` provider that you have removed. */
  readonly provider: ProviderName | null
  readonly issuer: string
  readonly subject: string
}

export interface IncludeOptions {
  /** Further fields of each user. */
  readonly include?: readonly ('metadata' | 'blocked' | 'identities')[] | undefined
}

export interface PageOptions {
  /** Only entries with a higher id. */
  readonly after?: number | undefined
  readonly limit?: number | undefined
}

/** `email` or `q`, not both. */
export interface UserSearch extends IncludeOptions, PageOptions {
  /** The whole address, in upper or lower case. Several users can have the same one. */
  readonly email?: string | undefined
  /** The start of an address or a name, at least 2 characters. */
  readonly q?: string | undefined
  readonly blocked?: boolean | undefined
  /** Also count all users that match. */
  readonly count?: boolean | undefined
}

export interface UserPage {
  readonly users: readonly ManagedUser[]
  /** The number of all users that match, if `count` is true. */
  readonly total: number | null
  /** `after` of the next page; null on the last one. */
  readonly next: number | null
}

/** A session that can still be refreshed. */
export interface UserSession {
  readonly id: number
  readonly created_at: string
  readonly last_refreshed_at: string
  /** When it ends without another refresh. */
  readonly expires_at: string
}

export interface VersionedMetadata {
  readonly metadata: UserMetadata
  /** Identifies this version: pass it as `ifMatch`. */
  readonly etag: string | null
}

/** A line of an export fits; its `id` is ignored. */
export interface ImportedUser {
  readonly id?: number | undefined
  readonly issuer?: string | undefined
  /** The provider's id for the user. Users are never matched by email. */
  readonly subject: string
  readonly email: string
  readonly name?: string | null | undefined
  readonly picture?: string | null | undefined
  readonly first_seen?: string | undefined
  readonly last_seen?: string | undefined
  readonly blocked?: boolean | undefined
  readonly metadata?: UserMetadata | undefined
}

export interface ImportReport {
  readonly created: number
  readonly existing: number
  readonly failed: number
  /** One for each line. */
  readonly results: readonly {
    /** Counts from 1. */
    readonly line: number
    readonly result: 'created' | 'exists' | 'invalid' | 'user_limit'
    readonly user_id?: number | undefined
    readonly problem?: string | undefined
  }[]
}

/** `shared`: the client of the service. `own`: a client that you registered at the provider. */
export type ProviderMode = 'shared' | 'own'

/** A way to sign in to your app. */
export interface Provider {
  readonly name: ProviderName
  readonly mode: ProviderMode
  readonly client_id: string | null
  /** Of an `oidc-` provider. */
  readonly issuer?: string | undefined
  /** Of an `oidc-` provider: its name on the consent page. */
  readonly display_name?: string | undefined
  /** Register exactly this URL at the provider. */
  readonly redirect_uri: string
  /** `pending`: waits for a test sign-in of the owner. `failing`: the provider refused the client id or the secret. */
  readonly status: 'pending' | 'active' | 'failing'
  readonly tested_at: string | null
  readonly login_url: string
  /** What sign-ins use now: another client, while a new one is pending. null: the provider is not enabled. */
  readonly in_use: { readonly mode: ProviderMode; readonly client_id: string | null } | null
}

export type ProviderClient<Name extends ProviderName> = ProviderClients[Name extends `oidc-${string}`
  ? 'oidc'
  : Name & keyof ProviderClients]

export interface ProviderTestResult {
  readonly accepted: boolean
  /** What the provider answered, if it did not accept the client. */
  readonly error_code: string | null
}

/** The color of the Continue button; null: the color of the service. */
export type Accent = 'gray' | 'blue' | 'indigo' | 'purple' | 'pink' | 'red' | 'orange' | 'green' | null

/** The whole brand: a field that is absent is null. */
export interface BrandSettings {
  readonly name: string
  /** An https URL on a verified domain. */
  readonly privacy_url?: string | null | undefined
  readonly terms_url?: string | null | undefined
  readonly accent?: Accent | undefined
}

/** What the consent page shows of your app, besides its host. */
export interface Brand {
  readonly name: string
  readonly privacy_url: string | null
  readonly terms_url: string | null
  readonly accent: Accent
  /** null: the first letters of the name are shown. */
  readonly logo: { readonly url: string; readonly size: number } | null
  /** The hosts of your callback URLs on which the brand is shown: those with a verified domain. */
  readonly shown_on: readonly string[]
}

/** A domain, what verifies it, and whether it is verified. Times are ISO 8601. */
export interface Domain {
  readonly host: string
  readonly registrable_domain: string | null
  /** `lapsed`: it was verified, and two weekly checks in a row did not find it. */
  readonly status: 'pending' | 'verified' | 'lapsed'
  /** `dns` covers the registrable domain and all its hosts, `file` this host only. */
  readonly method: 'dns' | 'file' | null
  /** The DNS record to add; null for this computer. */
  readonly dns: { readonly type: 'TXT'; readonly name: string; readonly value: string } | null
  /** Or the file to serve. */
  readonly file: { readonly url: string; readonly content: string }
  readonly verified_at: string | null
  readonly checked_at: string | null
  readonly next_check_at: string | null
  readonly missed_checks: number
  readonly created_at: string
}

/** `other`: a record or a file without your value. `absent`: none could be read. */
type Proof = 'found' | 'other' | 'absent'

export interface DomainCheck {
  readonly domain: Domain
  readonly found: { readonly dns: Proof; readonly file: Proof }
}

/** A user who asked that their data is removed. */
export interface RemovalRequest {
  readonly user_id: number
  readonly email: string
  readonly requested_at: string
  /** When the service deletes the user, unless you delete them before. */
  readonly due_at: string
}

/** An endpoint of your app that gets events. */
export interface Webhook {
  readonly id: string
  readonly url: string
  readonly events: readonly AuthEventKind[]
  readonly status: 'active' | 'disabled'
  readonly disabled_reason: 'owner' | 'gone' | 'failing' | 'secret_unreadable' | null
  /** The first failure since the last success. */
  readonly failing_since: string | null
  /** The id of the last event that was sent, or recorded for a retry. */
  readonly cursor: number
  readonly waiting_retries: number
  /** The events of a requested range that are still to be sent again. */
  readonly replay: { readonly after: number; readonly until: number } | null
  readonly created_at: string
}

export interface NewWebhook {
  readonly url: string
  /** Default: all but `login_started` and `token_refreshed`. */
  readonly events?: readonly AuthEventKind[] | undefined
}

export interface WebhookChange {
  readonly url?: string | undefined
  readonly events?: readonly AuthEventKind[] | undefined
  readonly status?: 'active' | 'disabled' | undefined
}

/** `secret` is returned only here. Store it. */
export interface CreatedWebhook {
  readonly webhook: Webhook
  readonly secret: string
}

/** Until `previous_until`, deliveries are signed with the old secret, too. */
export interface RotatedSecret {
  readonly secret: string
  readonly previous_until: string
}

export interface WebhookTestResult {
  readonly delivered: boolean
  /** The HTTP status of your endpoint; null without a response. */
  readonly status: number | null
  readonly ms: number
  readonly error: 'timeout' | 'unreachable' | 'tls' | null
}

/** One attempt to deliver an event. */
export interface WebhookDelivery extends WebhookTestResult {
  readonly id: number
  /** null: a test. */
  readonly event_id: number | null
  readonly attempt: number
  readonly at_ms: number
}

/** A range of events, or a list. */
export interface WebhookReplay {
  /** The id of an event; 0: from the start of the history. */
  readonly after?: number | undefined
  readonly until?: number | undefined
  readonly event_ids?: readonly number[] | undefined
}
