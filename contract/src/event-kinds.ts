/** The six kinds of auth event (spec, Auth event). Adding one: CONTRIBUTING.md. */
export const AUTH_EVENT_KINDS = [
  'login_started',
  'consent_denied',
  'authorize',
  'login_failed',
  'token_refreshed',
  'logout',
] as const

export type AuthEventKind = (typeof AUTH_EVENT_KINDS)[number]

/** Messages about users. They are no events: the history has none of them. */
export const USER_MESSAGES = [
  'user.created',
  'user.updated',
  'user.deleted',
  'user.removal_requested',
] as const

export type UserMessageKind = (typeof USER_MESSAGES)[number]

/** What an endpoint can get. */
export type WebhookKind = AuthEventKind | UserMessageKind

export const WEBHOOK_KINDS: readonly WebhookKind[] = [...AUTH_EVENT_KINDS, ...USER_MESSAGES]

/** The name of a kind on the wire: in the filter of an endpoint, and as the `type` of what it gets. */
export type WebhookType = `social_login.${AuthEventKind}` | UserMessageKind

const AUTH_PREFIX = 'social_login.'

const isUserMessage = (name: string): name is UserMessageKind =>
  (USER_MESSAGES as readonly string[]).includes(name)

export const webhookType = (kind: WebhookKind): WebhookType =>
  isUserMessage(kind) ? kind : `${AUTH_PREFIX}${kind}`

export const webhookKind = (type: WebhookType): WebhookKind =>
  isUserMessage(type) ? type : (type.slice(AUTH_PREFIX.length) as AuthEventKind)

export const WEBHOOK_TYPES = WEBHOOK_KINDS.map(webhookType)

/** The kinds that an endpoint gets unless it chooses others: not those that come with every page view. */
export const DEFAULT_WEBHOOK_KINDS = [
  'consent_denied',
  'authorize',
  'login_failed',
  'logout',
] as const satisfies readonly WebhookKind[]

export const WEBHOOK_DISABLED_REASONS = ['owner', 'gone', 'failing', 'secret_unreadable'] as const
