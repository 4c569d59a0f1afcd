import type { Scope } from '@gatehouse/contract'
import type { AccountId, GrantId } from '../ids.ts'
import type { Tenant } from '../tenants/tenant.ts'
import { statusAt } from '../tenants/tenant.ts'
import type { Duration, Instant } from '../time.ts'

export const MCP_ACCESS_TOKEN_MS: Duration = 3_600_000
export const MCP_REFRESH_TOKEN_MS: Duration = 30 * 24 * 3_600_000
/** However often it is refreshed, a person is asked again after this long (ASVS 10.4.8). */
export const GRANT_LIFETIME_MS: Duration = 365 * 24 * 3_600_000
/** One use, and soon (OAuth 2.1; ASVS asks for a minute at its highest level). */
export const CODE_LIFETIME_MS: Duration = 60_000
/** From the authorize request to the decision on the consent page. */
export const APPROVAL_LIFETIME_MS: Duration = 10 * 60_000

/** For whom a client acts: an owner, or a guest who is nobody but a cookie. A guest never becomes an account. */
export type Subject =
  | { readonly kind: 'account'; readonly accountId: AccountId }
  | { readonly kind: 'guest'; readonly guestHash: string }

/** What an OAuth client was given. */
export interface Grant {
  readonly id: GrantId
  readonly clientId: string
  readonly clientName: string
  readonly subject: Subject
  readonly scopes: readonly Scope[]
  /** The one resource its tokens are good for: `{base_url}/mcp` (RFC 8707). */
  readonly resource: string
  readonly createdAt: Instant
  readonly lastUsedAt: Instant
}

/**
 * May this grant touch this tenant, now? Asked on every call, because ownership changes: an account reaches what it
 * owns, and a guest what it created itself, as long as nobody has claimed it (spec, Authentication 7).
 */
export function canAccess(grant: Grant, tenant: Tenant, now: Instant): boolean {
  const { subject } = grant
  if (subject.kind === 'account') return tenant.owner?.accountId === subject.accountId
  return (
    tenant.claimedAt === null && tenant.creatorGuestHash === subject.guestHash && statusAt(tenant, now) !== 'expired'
  )
}
