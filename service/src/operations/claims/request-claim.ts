import { SECRET_PREFIXES } from '@gatehouse/contract'
import { ApiError } from '../../domain/api-error.ts'
import { type Claim, claimExpiry, mintConfirmationCode, waitExpiry } from '../../domain/tenants/claim.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import { mintSecret } from '../../domain/tokens/secret.ts'
import type { Context } from '../context.ts'

export interface ClaimOffer {
  readonly claim: Claim
  /** For the link. Stored only as a hash. */
  readonly token: string
  readonly waitToken: string
  readonly waitUntil: number
}

export const alreadyClaimed = (): ApiError =>
  new ApiError('alreadyClaimed', 'This tenant already has an owner. Nothing was changed.')

/** Creates a claim link and a token to wait for the decision. A new link supersedes the previous one. */
export async function requestClaim(ctx: Context, tenant: Tenant): Promise<ClaimOffer> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'claim', now)
  if (tenant.claimedAt !== null) throw alreadyClaimed()
  const token = mintSecret('', ctx.random)
  const waitToken = mintSecret(SECRET_PREFIXES.waitToken, ctx.random)
  const claim = await ctx.stores.claims.open(
    {
      tenantId: tenant.id,
      confirmationCode: mintConfirmationCode(ctx.random),
      createdAt: now,
      expiresAt: claimExpiry(tenant.expiresAt, now),
    },
    ctx.keyring.hash('claim', token),
    ctx.keyring.hash('wait', waitToken),
  )
  return { claim, token, waitToken, waitUntil: waitExpiry(claim) }
}
