import type { Scope } from '@gatehouse/contract'
import type { AccountId, GrantId } from '../ids.ts'
import type { Tenant } from '../tenants/tenant.ts'
import { statusAt } from '../tenants/tenant.ts'
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
  if (subject.kind === 'account') return tenant.owner?.accountId === subject.accountId
  return (
    tenant.claimedAt === null && tenant.creatorGuestHash === subject.guestHash && statusAt(tenant, now) !== 'expired'
  )
}
