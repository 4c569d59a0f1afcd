import { isScope, SCOPES, type Scope } from '@gatehouse-auth/contract'
import type { AccountId, GrantId } from '../ids.ts'
import { statusAt, type Tenant } from '../tenants/tenant.ts'
import type { Duration, Instant } from '../time.ts'

export const MCP_ACCESS_TOKEN_MS: Duration = 3_600_000
export const MCP_REFRESH_TOKEN_MS: Duration = 30 * 24 * 3_600_000
/** Absolute lifetime: after this, the user must approve the client again (ASVS 10.4.8). */
export const GRANT_LIFETIME_MS: Duration = 365 * 24 * 3_600_000
/** Authorization codes are single use and short-lived (OAuth 2.1; ASVS level 3 requires one minute). */
export const CODE_LIFETIME_MS: Duration = 60_000
/** From the authorize request to the decision on the consent page. */
export const APPROVAL_LIFETIME_MS: Duration = 10 * 60_000

/** For whom a client acts: an account, or a guest, who is identified by a cookie. A guest never becomes an account. */
export type Subject =
  | { readonly kind: 'account'; readonly accountId: AccountId }
  | { readonly kind: 'guest'; readonly guestHash: string }

/** The authorization of an OAuth client by a subject. */
export interface Grant {
  readonly id: GrantId
  readonly clientId: string
  readonly clientName: string
  readonly subject: Subject
  readonly scopes: readonly Scope[]
  /** The resource of its tokens: `{base_url}/mcp` (RFC 8707). */
  readonly resource: string
  readonly createdAt: Instant
  readonly lastUsedAt: Instant
}

/**
 * Checked on every call, because ownership can change. An account can access the tenants it owns, and a guest those that
 * it created, until they are claimed (spec, Authentication 7).
 */
export function canAccess(grant: Grant, tenant: Tenant, now: Instant): boolean {
  const { subject } = grant
  if (subject.kind === 'account') {
    return tenant.owner?.accountId === subject.accountId
  }
  return (
    tenant.claimedAt === null &&
    tenant.creatorGuestHash === subject.guestHash &&
    statusAt(tenant, now) !== 'expired'
  )
}

export type ApprovalDecision = 'allowed' | 'denied'

/** A validated authorization request that waits for a decision. Single use, bound to one browser, valid ten minutes. */
export interface Approval {
  readonly clientId: string
  /** At the time of the request. */
  readonly clientName: string
  /** As sent, and as matched. */
  readonly redirectUri: string
  /** Returned unchanged; null when none was sent. */
  readonly state: string | null
  /** The S256 code challenge (RFC 7636). */
  readonly challenge: string
  readonly scopes: readonly Scope[]
  readonly resource: string
  /** The client cannot act for a guest, so the consent page does not offer it (decision 12). */
  readonly accountRequired: boolean
  /** Keyed hash of the browser's cookie. */
  readonly browserHash: string
  readonly createdAt: Instant
  readonly expiresAt: Instant
  /** null: not decided yet. */
  readonly decision: ApprovalDecision | null
  readonly decidedAt: Instant | null
}

/** OpenID scopes that clients add on their own. They have no effect here. */
const IGNORED = new Set(['openid', 'profile', 'email', 'address', 'phone', 'offline_access'])

/** The requested scopes: all if none is named, null if only unknown ones are. */
export function readScopeRequest(scope: string | undefined): Scope[] | null {
  const named = (scope ?? '').split(' ').filter((name) => name !== '' && !IGNORED.has(name))
  if (named.length === 0) {
    return [...SCOPES]
  }
  const known = SCOPES.filter((name) => named.includes(name))
  return known.length === 0 ? null : known
}

/** A refresh may narrow the scopes, never widen them (RFC 6749, section 6). null: it asks for more. */
export function narrowScopes(granted: readonly Scope[], scope: string | undefined): Scope[] | null {
  const named = (scope ?? '').split(' ').filter((name) => name !== '' && !IGNORED.has(name))
  if (named.length === 0) {
    return [...granted]
  }
  return named.every((name) => isScope(name) && granted.includes(name))
    ? granted.filter((name) => named.includes(name))
    : null
}

/** The resource of all tokens (RFC 8707), without a trailing slash, because clients compare it byte for byte. */
export const mcpResource = (baseUrl: string): string => `${baseUrl}/mcp`

/**
 * Normalizes a `resource` parameter; null for another resource, such as the retired `{base_url}/mcp/manage`. Older clients
 * omit it. Every spelling of the same URL is accepted, such as upper case in the host or `:443`; so are a trailing slash, and
 * `?login`, which requires a token (decision 12).
 */
export function readResource(baseUrl: string, requested: string | undefined): string | null {
  const resource = mcpResource(baseUrl)
  if (requested === undefined) {
    return resource
  }

  // An absolute URI without a fragment (RFC 8707, section 2). The parser would repair spaces, backslashes and one slash.
  const url = /^https?:\/\/[^\s\\#]+$/i.test(requested) ? URL.parse(requested) : null
  if (url === null || url.username !== '' || url.password !== '') {
    return null
  }

  const path = url.pathname + url.search
  const isEndpoint = ['/mcp', '/mcp/', '/mcp?login'].includes(path)
  return url.origin === baseUrl && isEndpoint ? resource : null
}

/** For the error of another resource. */
export const onlyResource = (baseUrl: string): string =>
  `The only resource here is ${mcpResource(baseUrl)}.`
