// Generated from contract/src by `npx node scripts/sdk-types.ts`. Change the contract, not this file.

import type { ProviderName } from '../login/provider.ts'

/**
 * Names are lower-case letters, digits and `_`, at most 40 characters, and none that is reserved,
 * such as `sub` or `email`. Values are strings, numbers, booleans, or lists of at most 20 strings.
 * At most 1024 bytes of JSON.
 */
export type Claims = Readonly<Record<string, string | number | boolean | readonly string[]>>

/** ID tokens, which other systems can verify. */
export interface IdTokenSettings {
  /**
   * The `aud` that an ID token may have: a name that you choose, and that the other system expects.
   * The first is the default.
   */
  readonly audiences: readonly string[]
  /**
   * In every ID token, such as `{ "role": "authenticated" }`. A claim of the user with the same
   * name wins.
   */
  readonly claims?: Claims | undefined
}

/** The settings of social login. */
export interface SocialLoginSettings {
  /**
   * How long the previous refresh token returns the same pair, for apps that cannot send an
   * Idempotency-Key. 0 at first.
   */
  readonly refresh_leeway_seconds: number
  /**
   * `code`: every login must start with a `code_challenge`, so that no tokens are in a URL.
   * `either` at first: logins without one get tokens.
   */
  readonly callback_mode: 'either' | 'code'
  /**
   * Whether a user who pressed Continue is not asked again for 30 days, in the same browser, under
   * the conditions of the guide. Needs an owner. false at first: users are asked every time.
   */
  readonly remember_consent: boolean
  /**
   * Google Workspace domains whose accounts may sign in, by the `hd` claim: an address at the
   * domain is not enough. Empty with `allowed_emails`: every Google account.
   */
  readonly allowed_domains: readonly string[]
  /** Addresses that may sign in, in any case, besides the accounts of `allowed_domains`. */
  readonly allowed_emails: readonly string[]
  /**
   * Claims of a user who signs in while there is no other user, such as `{ "role": "admin" }`. null
   * at first: none.
   */
  readonly first_user_claims: Claims | null
  /**
   * `invited`: only existing users, those of `allowed_domains` and `allowed_emails`, and people
   * with an invitation can sign in. `open` at first: the two lists alone decide.
   */
  readonly admission: 'open' | 'invited'
  /**
   * Lets your app get ID tokens, which databases and other services verify by themselves. null at
   * first: none are issued.
   */
  readonly id_tokens: IdTokenSettings | null
}

/** A login link with which people become users, also of a closed project. Times are ISO 8601. */
export interface Invitation {
  readonly id: string
  /**
   * The login link of this invitation, shown only when it is created. Anyone who has it can use it:
   * send it to the person yourself, no mail is sent.
   */
  readonly url?: string | undefined
  /** Only this verified address can use it; null: anyone who has the link. */
  readonly email: string | null
  /** They become the claims of each user that it creates. */
  readonly claims: Claims
  /** How many users it can create. */
  readonly uses: number
  /** How many it has created. */
  readonly used: number
  readonly status: 'open' | 'used' | 'expired'
  readonly created_at: string
  readonly expires_at: string
}

/** Whom to invite. Without a body: the first person who has the link. */
export interface NewInvitation {
  /** Only this verified address can use it, in any case. */
  readonly email?: string | undefined
  /** They become the claims of each user that it creates. */
  readonly claims?: Claims | undefined
  /** Seconds; default 604800, seven days. */
  readonly expires_in?: number | undefined
  /** How many users it can create; default 1. With `email`, it is 1. */
  readonly uses?: number | undefined
}

/** A kind of refused sign-in, and how often it happened. */
export interface Refusal {
  readonly step: 'start' | 'callback' | 'exchange'
  /** An error code of the login link or callback, or an `error_code` of `login_failed`. */
  readonly code: string
  /** How often since `first_at_ms`. Counting starts again after 24 hours without one. */
  readonly count: number
  readonly first_at_ms: number
  readonly last_at_ms: number
  /**
   * The newest `redirect_uri` that was refused, without its query. Anyone can open a login link: it
   * may be a URL of a stranger.
   */
  readonly sent?: string | undefined
  /** The registered callback URL that is most similar. */
  readonly closest?: string | undefined
  /**
   * The part of the URL that differs, or the parameter of the login link that `invalidRequest` is
   * about.
   */
  readonly differs?: string | undefined
  readonly meaning: string
  /** What to do about it. */
  readonly fix: string
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
  | 'user.claims_changed'
  | 'user.identity_added'
  | 'user.identity_removed'
  | 'user.identity_pinned'
  | 'user.merged'
  | 'user.removal_requested'
  | 'user.removal_withdrawn'
  | 'user.consent_forgotten'
  | 'invitation.created'
  | 'invitation.deleted'
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

/** One management action. It says that a setting was changed, not to what. */
export interface AuditEntry {
  /** Ascends in the order of the actions. */
  readonly id: number
  /** Milliseconds since 1970. */
  readonly at_ms: number
  /**
   * `key:` and 8 characters that identify a management key, `account:` and the owner’s id, `grant:`
   * and the id of an agent’s grant, `person` (a user of the app) or `operator`.
   */
  readonly actor: string
  readonly action: AuditAction
  /**
   * What was changed, such as `user:7` or the names of settings; the reason that the operator gave.
   */
  readonly target: string | null
  /** The `X-Request-Id` of the response. */
  readonly request_id: string
}

export type AuthEventKind =
  | 'login_started'
  | 'consent_denied'
  | 'authorize'
  | 'login_failed'
  | 'token_refreshed'
  | 'logout'

/** One entry of the auth event history. */
export interface AuthEvent {
  /** Ascends in the order of the events. */
  readonly id: number
  readonly event: AuthEventKind
  /** null until the user is known. */
  readonly user_id: number | null
  readonly email: string | null
  readonly redirect_uri: string | null
  readonly return_to: string | null
  /**
   * `stage` and `error_code` of a failure, `by` of a denial, `reason` of a logout, `new_user` of a
   * first sign-in, `provider` of a login that is not with Google.
   */
  readonly metadata: {
    /** Only with `login_failed`: where it failed. */
    readonly stage?: 'token_exchange' | 'userinfo' | 'user_upsert' | undefined
    /** Why a login failed; see /docs/events. */
    readonly error_code?: string | undefined
    /** Only with `consent_denied`: where the user canceled. */
    readonly by?: 'user' | 'provider' | undefined
    /**
     * Only with `logout`. `person`: the user, on the page `/me` of the service. `operator`: the
     * operator ended all sessions of your project.
     */
    readonly reason?:
      | 'user'
      | 'refresh_reuse'
      | 'code_reuse'
      | 'owner'
      | 'person'
      | 'operator'
      | undefined
    /** Present in the events of a login if the provider is not Google. */
    readonly provider?: ProviderName | undefined
    /** Present in the `authorize` of a user who signs in for the first time. */
    readonly new_user?: true | undefined
  }
  /** Milliseconds since 1970. */
  readonly created_at_ms: number
}

/**
 * Your own fields of this user: at most 2048 bytes of JSON, 4 levels deep. Neither tokens nor
 * verify contain them.
 */
export type UserMetadata = Readonly<Record<string, unknown>>

/** A field that a user has only if you ask for it. */
export type UserInclude = 'metadata' | 'claims' | 'blocked' | 'identities'

export interface UserIdentity {
  /** null: an `oidc-` provider that you have removed. */
  readonly provider: ProviderName | null
  readonly issuer: string
  readonly subject: string
  /** At the last login with this identity. */
  readonly email: string
  /** The user is shown with this profile, whichever identity signs in. */
  readonly pinned: boolean
}

/** A user, with the fields that `include` names. Times are ISO 8601. */
export interface ManagedUser {
  /** Never reused, not even after a deletion. */
  readonly id: number
  readonly email: string
  /** As the provider reports it; null if it reports none. */
  readonly name: string | null
  /** A URL at the provider. */
  readonly picture: string | null
  readonly first_seen: string
  /** Their last login or refresh. */
  readonly last_seen: string
  readonly metadata?: UserMetadata | undefined
  readonly claims?: Claims | undefined
  /** A blocked user cannot sign in. */
  readonly blocked?: boolean | undefined
  /** What identifies the user at providers. Most users have one. */
  readonly identities?: readonly UserIdentity[] | undefined
}

/** A session that can still be refreshed. Times are ISO 8601. */
export interface UserSession {
  readonly id: number
  /** When the user signed in. */
  readonly created_at: string
  /** The last refresh, or the sign-in. */
  readonly last_refreshed_at: string
  /** When it ends without another refresh. */
  readonly expires_at: string
}

/** Times are ISO 8601. */
export interface ImportedIdentity {
  readonly issuer: string
  readonly subject: string
  readonly email: string
  readonly name: string | null
  readonly picture: string | null
  readonly pinned: boolean
  readonly last_seen: string
}

/** One line of an import; a line of an export fits. Times are ISO 8601. */
export interface ImportedUser {
  /** Ignored: the user gets a new id, because ids are never reused. */
  readonly id?: number | undefined
  /** The provider, by default Google: a named one, or an OpenID provider of your project. */
  readonly issuer?: string | undefined
  /** The provider’s id for the user. Users are never matched by email. */
  readonly subject: string
  readonly email: string
  readonly name?: string | null | undefined
  readonly picture?: string | null | undefined
  /** Default: now. */
  readonly first_seen?: string | undefined
  /** Default: now. */
  readonly last_seen?: string | undefined
  readonly blocked?: boolean | undefined
  readonly metadata?: UserMetadata | undefined
  readonly claims?: Claims | undefined
  /** All identities of a user who has several, the one above included. */
  readonly identities?: readonly ImportedIdentity[] | undefined
}

/** What happened to one line of an import. */
export interface ImportResult {
  /** Counts from 1. */
  readonly line: number
  /** `exists`: nothing was changed. `user_limit`: the tier includes no more users. */
  readonly result: 'created' | 'exists' | 'invalid' | 'user_limit'
  /** Present with `created` and `exists`. */
  readonly user_id?: number | undefined
  /** Present with `invalid`. */
  readonly problem?: string | undefined
  /** Present with `created`: the subject may be another one for another client of the provider. */
  readonly warning?: string | undefined
}

export interface ImportReport {
  readonly created: number
  readonly existing: number
  readonly failed: number
  /** One for each line. */
  readonly results: readonly ImportResult[]
}

/** A user who asked that their data is removed. Times are ISO 8601. */
export interface RemovalRequest {
  readonly user_id: number
  readonly email: string
  readonly requested_at: string
  /** When the user is deleted, unless you delete them before. */
  readonly due_at: string
}

/** `shared`: the client of the service. `own`: a client that you registered at the provider. */
export type ProviderMode = 'shared' | 'own'

/** A way to sign in to your app. Times are ISO 8601. */
export interface Provider {
  readonly name: ProviderName
  readonly mode: ProviderMode
  /** The client ID of your own client; null if the client is shared. */
  readonly client_id: string | null
  /** Only for an `oidc-` provider. */
  readonly issuer?: string | undefined
  /** Only for an `oidc-` provider: its name on the consent page. */
  readonly display_name?: string | undefined
  /** Register exactly this URL at the provider. */
  readonly redirect_uri: string
  /**
   * `pending`: waits for a test sign-in of the owner at /account. `failing`: the provider refused
   * the client id or the secret.
   */
  readonly status: 'pending' | 'active' | 'failing'
  /** The last successful test sign-in of the owner. */
  readonly tested_at: string | null
  /** The link for a sign-in button. */
  readonly login_url: string
  /**
   * What sign-ins use now: another client, while a new one is pending. null: the provider is not
   * enabled.
   */
  readonly in_use: {
    readonly mode: ProviderMode
    readonly client_id: string | null
  } | null
}

export interface ProviderTestResult {
  readonly accepted: boolean
  /** What the provider answered, if it did not accept the client. */
  readonly error_code: string | null
}

/** The color of the Continue button; null: the color of the service. */
export type Accent =
  | 'gray'
  | 'blue'
  | 'indigo'
  | 'purple'
  | 'pink'
  | 'red'
  | 'orange'
  | 'green'
  | null

/** The whole brand: a field that is absent is null. */
export interface BrandSettings {
  /**
   * What people call your app: at most 40 characters of one script, digits, spaces and `- & . '`.
   * Names of well-known brands are for their domains only.
   */
  readonly name: string
  /** An https URL on a verified domain of your project; null: none. */
  readonly privacy_url?: string | null | undefined
  /** An https URL on a verified domain of your project; null: none. */
  readonly terms_url?: string | null | undefined
  readonly accent?: Accent | undefined
}

/** What the consent page shows of your app, besides its host. */
export interface Brand {
  /**
   * What people call your app: at most 40 characters of one script, digits, spaces and `- & . '`.
   * Names of well-known brands are for their domains only.
   */
  readonly name: string
  /** An https URL on a verified domain of your project; null: none. */
  readonly privacy_url: string | null
  /** An https URL on a verified domain of your project; null: none. */
  readonly terms_url: string | null
  readonly accent: Accent
  /** null: the first letters of the name are shown. */
  readonly logo: {
    readonly url: string
    /** Width and height in pixels. */
    readonly size: number
  } | null
  /**
   * The hosts of your callback URLs on which the consent page shows the brand: those with a
   * verified domain.
   */
  readonly shown_on: readonly string[]
}

/** A domain, what verifies it, and whether it is verified. Times are ISO 8601. */
export interface Domain {
  /**
   * A host name without scheme, port and path, such as `app.example.com`. On a local service also
   * `localhost:3000`.
   */
  readonly host: string
  /**
   * The name that is bought, such as `example.com`, by the Public Suffix List. null for this
   * computer.
   */
  readonly registrable_domain: string | null
  /**
   * `pending`: not found yet. `lapsed`: it was verified, and two weekly checks in a row did not
   * find it.
   */
  readonly status: 'pending' | 'verified' | 'lapsed'
  /**
   * How it was verified. `dns` covers the registrable domain and all its hosts, `file` this host
   * only.
   */
  readonly method: 'dns' | 'file' | null
  /** The DNS record to add; null for this computer. */
  readonly dns: {
    readonly type: 'TXT'
    readonly name: string
    readonly value: string
  } | null
  /** Or the file to serve: a line of it must be this text. Redirects are not followed. */
  readonly file: {
    readonly url: string
    readonly content: string
  }
  /** Since when it is verified. */
  readonly verified_at: string | null
  /** The last check. */
  readonly checked_at: string | null
  /** A verified domain is checked every week. */
  readonly next_check_at: string | null
  /** Weekly checks in a row that did not find it. The second one ends the verification. */
  readonly missed_checks: number
  readonly created_at: string
}

export type Proof = 'found' | 'other' | 'absent'

/** What a check found, and the domain after it. */
export interface DomainCheck {
  readonly domain: Domain
  /**
   * `other`: there is a record or a file, without the value of your project. `absent`: none could
   * be read.
   */
  readonly found: {
    readonly dns: Proof
    readonly file: Proof
  }
}

export type WebhookType =
  | 'social_login.login_started'
  | 'social_login.consent_denied'
  | 'social_login.authorize'
  | 'social_login.login_failed'
  | 'social_login.token_refreshed'
  | 'social_login.logout'
  | 'user.created'
  | 'user.updated'
  | 'user.deleted'
  | 'user.removal_requested'

/** An endpoint of your app that gets events. Times are ISO 8601. */
export interface Webhook {
  readonly id: string
  /**
   * An https URL on the public internet, port 443 or above 1023; on a local service also http to
   * loopback.
   */
  readonly url: string
  /** The types of what is sent, as in `type` of a delivery. */
  readonly events: readonly WebhookType[]
  readonly status: 'active' | 'disabled'
  /**
   * `owner`: you disabled it; `gone`: it answered 410; `failing`: no delivery succeeded for five
   * days; `secret_unreadable`: rotate its secret.
   */
  readonly disabled_reason: 'owner' | 'gone' | 'failing' | 'secret_unreadable' | null
  /** The first failure since the last success. */
  readonly failing_since: string | null
  /** The id of the last event that was sent, or recorded for a retry. */
  readonly cursor: number
  /** Failed deliveries of events that will be sent again. At 1,000, newer events wait. */
  readonly waiting_retries: number
  /** The events of a requested range that are still to be sent again. */
  readonly replay: {
    readonly after: number
    readonly until: number
  } | null
  readonly created_at: string
}

export interface NewWebhook {
  /**
   * An https URL on the public internet, port 443 or above 1023; on a local service also http to
   * loopback.
   */
  readonly url: string
  /**
   * Default: the events of the history except `social_login.login_started` and
   * `social_login.token_refreshed`.
   */
  readonly events?: readonly WebhookType[] | undefined
}

/** Any of the fields. */
export interface WebhookChange {
  /**
   * An https URL on the public internet, port 443 or above 1023; on a local service also http to
   * loopback.
   */
  readonly url?: string | undefined
  /** The types of what is sent, as in `type` of a delivery. */
  readonly events?: readonly WebhookType[] | undefined
  /** `active` also ends a back-off: what waits is sent at once, from the cursor on. */
  readonly status?: 'active' | 'disabled' | undefined
}

/** `secret` is returned only here. Store it. */
export interface CreatedWebhook {
  readonly webhook: Webhook
  /** `whsec_` and base64: signs every delivery. Shown only here. */
  readonly secret: string
}

/** Until `previous_until`, deliveries are signed with the old secret, too. Times are ISO 8601. */
export interface RotatedSecret {
  /** `whsec_` and base64: signs every delivery. Shown only here. */
  readonly secret: string
  readonly previous_until: string
}

/** The result of one test delivery. */
export interface WebhookTestResult {
  readonly delivered: boolean
  /** The HTTP status of the response; null without one. 2xx is a success. */
  readonly status: number | null
  /** The duration in milliseconds. */
  readonly ms: number
  /**
   * Without a response: no response within 15 seconds, no connection, or an invalid certificate.
   */
  readonly error: 'timeout' | 'unreachable' | 'tls' | null
}

/** One attempt to deliver an event. */
export interface WebhookDelivery {
  /** Counts the attempts of this endpoint. */
  readonly id: number
  /** The `type` of what was sent; `webhook.test`: a test. */
  readonly type: string
  /** null: a test, or a message about a user. */
  readonly event_id: number | null
  /** 1 for the first attempt. */
  readonly attempt: number
  /** Milliseconds since 1970. */
  readonly at_ms: number
  readonly delivered: boolean
  /** The HTTP status of the response; null without one. 2xx is a success. */
  readonly status: number | null
  /** The duration in milliseconds. */
  readonly ms: number
  /**
   * Without a response: no response within 15 seconds, no connection, or an invalid certificate.
   */
  readonly error: 'timeout' | 'unreachable' | 'tls' | null
}

/** A range of events, or a list. */
export interface WebhookReplay {
  /** The id of an event; 0: from the start of the history. */
  readonly after?: number | undefined
  /** The last event; default and at most: the cursor of the endpoint. */
  readonly until?: number | undefined
  /** Ids that do not exist, or are of other kinds than those of the endpoint, are ignored. */
  readonly event_ids?: readonly number[] | undefined
}
