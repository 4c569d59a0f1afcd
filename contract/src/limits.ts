/** The Limits tables of the specification, as data. */

export const ACCESS_TOKEN_SECONDS = 3_600
/** The shortest lifetime that a test can choose, on a development service. */
export const TEST_ACCESS_TOKEN_MIN_SECONDS = 5
export const REFRESH_TOKEN_SECONDS = 30 * 24 * 3_600
export const GUEST_LIFETIME_SECONDS = 72 * 3_600
export const FEEDBACK_MAX_CHARACTERS = 20_000
/** Enough to describe what was tried and what happened. */
export const DISCOUNT_REPORT_MIN_CHARACTERS = 200
/** Feedback and discount reports of one tenant, together. */
export const FEEDBACK_PER_HOUR = 20
export const FEEDBACK_KEPT_PER_TENANT = 200
/** Feedback is deleted after this time. */
export const FEEDBACK_KEPT_DAYS = 365

export const CLAIM_LINK_SECONDS = 30 * 60

export const CLAIM_LINKS_PER_HOUR = 30

/** Projects that an account may own; the operator can set another number for an account. */
export const PROJECTS_PER_ACCOUNT = 100

export const TIERS = ['ephemeral', 'free', 'plus', 'pro'] as const

export type Tier = (typeof TIERS)[number]

export interface TierLimits {
  readonly storedUsers: number
  readonly eventsPerMinute: number
  /** null: no limit. */
  readonly eventsPerMonth: number | null
  /** From the creation of a guest tenant until it is claimed or expires. */
  readonly eventsPerLifetime: number | null
  /** Webhook endpoints of one tenant. */
  readonly webhooks: number
}

export const TIER_LIMITS: Readonly<Record<Tier, TierLimits>> = {
  ephemeral: {
    storedUsers: 1_000,
    eventsPerMinute: 5,
    eventsPerMonth: null,
    eventsPerLifetime: 100,
    webhooks: 1,
  },
  free: {
    storedUsers: 5_000,
    eventsPerMinute: 30,
    eventsPerMonth: 5_000,
    eventsPerLifetime: null,
    webhooks: 3,
  },
  plus: {
    storedUsers: 50_000,
    eventsPerMinute: 150,
    eventsPerMonth: 50_000,
    eventsPerLifetime: null,
    webhooks: 10,
  },
  pro: {
    storedUsers: 250_000,
    eventsPerMinute: 750,
    eventsPerMonth: 250_000,
    eventsPerLifetime: null,
    webhooks: 25,
  },
}

/** Guest tenants that one client address may create a minute, over REST and the public MCP tool together. */
export const GUESTS_PER_MINUTE_PER_ADDRESS = 10

/**
 * Logins that one client address may start a minute, over all tenants. Leaves room for many users behind one NAT. At a
 * tenant whose tier has more events a minute, as many as these.
 */
export const STARTS_PER_MINUTE_PER_ADDRESS = 600

/** OAuth clients that one client address may register a minute, and authorization requests it may start. */
export const REGISTRATIONS_PER_MINUTE_PER_ADDRESS = 60
export const APPROVALS_PER_MINUTE_PER_ADDRESS = 120

/** Requests to be removed, and their withdrawals, on the pages for users. */
export const REMOVALS_PER_MINUTE_PER_ADDRESS = 10

/** Searches of the documentation that one client address may send a minute. A search whose result is known isn't counted. */
export const SEARCHES_PER_MINUTE_PER_ADDRESS = 60

/** Invalid requests that one management key or OAuth token may send a minute before they are 429. */
export const INVALID_REQUESTS_PER_MINUTE = 120

/** Providers of the kind `oidc` that one tenant may have. */
export const OIDC_PROVIDERS_MAX = 3
export const PROVIDER_SECRET_MIN_CHARACTERS = 8
export const PROVIDER_SECRET_MAX_CHARACTERS = 256
/** Limits each tenant, because a test sends a request to the provider. */
export const PROVIDER_TESTS_PER_HOUR = 60

/** The longest time in which the previous refresh token may return the same pair without an Idempotency-Key. */
export const REFRESH_LEEWAY_MAX_SECONDS = 60

export const ALLOWED_DOMAINS_MAX = 50
export const ALLOWED_EMAILS_MAX = 500
/** RFC 5321, section 4.5.3.1.3: a path is 256 octets with its brackets, so an address is 254. */
export const EMAIL_MAX_CHARACTERS = 254

/** Audiences of the ID tokens of one tenant. */
export const AUDIENCES_MAX = 10
export const AUDIENCE_MAX_CHARACTERS = 200
export const ID_TOKEN_SECONDS = 300
/** Counted in memory, per process. */
export const ID_TOKENS_PER_MINUTE_PER_SESSION = 60

/** Invitations of one tenant, used and expired ones included until they are deleted. */
export const INVITATIONS_MAX = 1_000
export const INVITATION_USES_MAX = 10_000
export const INVITATION_DEFAULT_SECONDS = 7 * 24 * 3_600
export const INVITATION_MAX_SECONDS = 365 * 24 * 3_600

export const CALLBACK_URLS_MAX = 50
export const CALLBACK_URL_MAX_CHARACTERS = 2_048
export const RETURN_TO_MAX_CHARACTERS = 1_024
export const USERS_PAGE_MAX = 1_000
export const USER_SESSIONS_PAGE_DEFAULT = 100
export const USER_SESSIONS_PAGE_MAX = 500
/** The shortest start of an email address or name that can be searched for. */
export const USER_SEARCH_MIN_CHARACTERS = 2
/** The owner's own fields of a user, as JSON. */
export const USER_IDENTITIES_MAX = 10
export const LINK_SECONDS = 300
export const USER_METADATA_MAX_BYTES = 2_048
export const USER_METADATA_MAX_DEPTH = 4
/** Claims of a user, of all users, or of the first one, each as JSON. */
export const CLAIMS_MAX_BYTES = 1_024
/** Strings in a claim that is a list. */
export const CLAIM_LIST_MAX = 20
/** A user who asked to be removed is deleted after this many days, unless the owner does it before. */
export const REMOVAL_DAYS = 30
export const REMOVALS_PAGE_DEFAULT = 100
export const REMOVALS_PAGE_MAX = 500
export const IMPORT_MAX_ROWS = 1_000
export const IMPORT_MAX_BYTES = 1_024 * 1_024
export const EVENTS_PAGE_DEFAULT = 50
export const EVENTS_PAGE_MAX = 500
/** Management actions of one tenant that are kept, and for how long. */
export const AUDIT_KEPT_PER_TENANT = 10_000
export const AUDIT_KEPT_DAYS = 90
export const AUDIT_PAGE_DEFAULT = 50
export const AUDIT_PAGE_MAX = 500
/** Eight hours on 22 days, with a refresh an hour, and one sign-in of two events. */
export const ACTIVE_USER_EVENTS_PER_MONTH = 8 * 22 + 2
export const WEBHOOK_URL_MAX_CHARACTERS = 2_048
/** Failed deliveries of one endpoint that wait for a retry; at this number newer events wait in the history. */
export const WEBHOOK_RETRIES_MAX = 1_000
/** The delivery log of one endpoint. */
export const WEBHOOK_DELIVERIES_KEPT = 200
/** A message about a user that could not be delivered, for example to a disabled endpoint. */
export const WEBHOOK_MESSAGES_KEPT_DAYS = 30
export const WEBHOOK_DELIVERIES_KEPT_DAYS = 7
/** After a rotation, deliveries are signed with the previous secret, too, for this long. */
export const WEBHOOK_SECRET_OVERLAP_HOURS = 24
/** Tests and replays of one tenant are limited, because both send requests to a URL that its key chose. */
export const WEBHOOK_TESTS_PER_HOUR = 60
export const WEBHOOK_REPLAYS_PER_HOUR = 20
export const WEBHOOK_REPLAY_IDS_MAX = 100
/** A replay says how many events it sends, and counts no more than this. */
export const WEBHOOK_REPLAY_COUNT_MAX = 100_000
/** Verified and unverified domains of one tenant. */
export const DOMAINS_MAX = 10
/** Limits each tenant, because a check sends a DNS query and a request to a host that its key chose. */
export const DOMAIN_CHECKS_PER_HOUR = 30
export const HOST_MAX_CHARACTERS = 253
export const BRAND_NAME_MAX_CHARACTERS = 40
export const BRAND_URL_MAX_CHARACTERS = 2_048
export const LOGO_MAX_BYTES = 64 * 1_024
/** The width and height of a logo. */
export const LOGO_MIN_PIXELS = 64
export const LOGO_MAX_PIXELS = 512
export const LONG_POLL_MAX_SECONDS = 25
/** Requests that may wait at a time, in one process. */
export const LONG_POLLS_PER_WAIT_TOKEN = 20
export const LONG_POLLS_PER_TENANT = 500
export const LONG_POLLS_PER_ADDRESS = 1_000
export const EDGE_SESSION_SECONDS = 60
export const BODY_MAX_BYTES = 64 * 1_024
/** The largest message that /mcp takes. It fits feedback of the greatest length, each character escaped as `\u1234`. */
export const MCP_BODY_MAX_BYTES = 128 * 1_024
