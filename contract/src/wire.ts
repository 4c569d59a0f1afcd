export const API_VERSION = '1'

/** Header names that REST, MCP and OAuth endpoints share. */
export const HEADERS = {
  apiVersion: 'API-Version',
  requestId: 'X-Request-Id',
  rateLimitPolicy: 'RateLimit-Policy',
  rateLimit: 'RateLimit',
  retryAfter: 'Retry-After',
  totalCount: 'X-Total-Count',
  idempotencyKey: 'Idempotency-Key',
} as const

/** Fields of a user that a response has only if `include` names them. */
export const USER_INCLUDES = ['metadata', 'claims', 'blocked', 'identities'] as const

export type UserInclude = (typeof USER_INCLUDES)[number]

/**
 * The prefix of every kind of secret that the service issues. Secrets are minted with these prefixes only, and every
 * filter (log, MCP results, local client) derives its pattern from this list, so a new kind is redacted everywhere.
 */
export const SECRET_PREFIXES = {
  managementKey: 'svc_man_',
  applicationKey: 'svc_app_',
  refreshToken: 'svc_rt_',
  waitToken: 'svc_wt_',
  edgeToken: 'svc_es_',
  loginCode: 'svc_ac_',
  feedbackToken: 'svc_fb_',
  invitation: 'svc_in_',
  webhookSecret: 'whsec_',
  oauthCode: 'mcp_ac_',
  oauthAccessToken: 'mcp_at_',
  oauthRefreshToken: 'mcp_rt_',
} as const

export type SecretPrefix = (typeof SECRET_PREFIXES)[keyof typeof SECRET_PREFIXES]

/** Source of a regular expression that matches any of the prefixes. */
export const SECRET_PREFIX_PATTERN = `(?:${Object.values(SECRET_PREFIXES).join('|')})`

/** The four OAuth scopes (spec, Authentication 7). */
export const SCOPES = [
  'mcp:tenants:create',
  'mcp:tenant:read',
  'mcp:resources:write',
  'mcp:feedback:write',
] as const

export type Scope = (typeof SCOPES)[number]

export const isScope = (text: string): text is Scope => (SCOPES as readonly string[]).includes(text)

/** What a scope allows, as the consent page describes it. */
export const SCOPE_DESCRIPTIONS: Readonly<Record<Scope, string>> = {
  'mcp:tenants:create': 'Create projects, and ask you to take ownership of one',
  'mcp:tenant:read': 'See the status of its projects',
  'mcp:resources:write': 'Set up sign-in, and replace the list of callback URLs',
  'mcp:feedback:write': 'Send feedback to the operator',
}

/**
 * Lower case for addresses and hosts. Only ASCII letters are folded: JavaScript's `toLowerCase` turns the Kelvin sign (U+212A)
 * into `k`, so that one person's address would equal another's.
 */
export const asciiLowerCase = (text: string): string =>
  text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** Every tenant is an OpenID Provider for its app. Its issuer, byte for byte as in discovery, in ID tokens and in `iss`. */
export const issuerOf = (baseUrl: string, tenantId: string): string =>
  `${baseUrl}/edge/auth/${tenantId}`
