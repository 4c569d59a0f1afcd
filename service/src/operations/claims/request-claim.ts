import { CLAIM_LINKS_PER_HOUR, SECRET_PREFIXES } from '@gatehouse/contract'
import { ApiError } from '../../domain/api-error.ts'
import type { Author } from '../../domain/audit/action.ts'
import type { Rate } from '../../domain/limits/rate.ts'
import { type Claim, claimExpiry, mintConfirmationCode, type NewClaim, waitExpiry } from '../../domain/tenants/claim.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import { mintSecret } from '../../domain/tokens/secret.ts'
import { recordAction } from '../audit/record-action.ts'
import type { Context } from '../context.ts'
import { type HourlyLimit, limitByTenant } from '../limits/limit-by-tenant.ts'
import { withAdvice } from '../unknown-outcome.ts'

const CLAIM_LIMIT: HourlyLimit = {
  scope: 'claim-links',
  perHour: CLAIM_LINKS_PER_HOUR,
  action: 'request claim links',
}

export interface ClaimOffer {
  readonly claim: Claim
  /** For the link. Stored only as a hash. */
  readonly token: string
  readonly waitToken: string
  readonly waitUntil: number
  /** What the tenant may still request in this hour. */
  readonly rate: Rate
}

export const alreadyClaimed = (): ApiError =>
  new ApiError('alreadyClaimed', 'This tenant already has an owner. Nothing was changed.')

/** Creates a claim link and a token to wait for the decision. A new link supersedes the previous one. */
export async function requestClaim(ctx: Context, tenant: Tenant, author: Author): Promise<ClaimOffer> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'claim', now)
  if (tenant.claimedAt !== null) throw alreadyClaimed()
  const token = mintSecret('', ctx.random)
  const waitToken = mintSecret(SECRET_PREFIXES.waitToken, ctx.random)
  const newClaim: NewClaim = {
    tenantId: tenant.id,
    confirmationCode: mintConfirmationCode(ctx.random),
    createdAt: now,
    expiresAt: claimExpiry(tenant.expiresAt, now),
  }
  const [tokenHash, waitHash] = [ctx.keyring.hash('claim', token), ctx.keyring.hash('wait', waitToken)]
  const requesting = ctx.stores.confirmedTransaction(async (stores) => {
    const rate = await limitByTenant(stores, CLAIM_LIMIT, tenant, now)
    const claim = await stores.claims.open(newClaim, tokenHash, waitHash)
    await recordAction(stores, { tenantId: tenant.id, author, action: 'claim.requested', at: now })
    return { claim, token, waitToken, waitUntil: waitExpiry(claim), rate }
  })
  return withAdvice('An older claim link may no longer work. Request a new one, which replaces it.', requesting)
}
