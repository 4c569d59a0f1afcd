import { ApiError } from '../../domain/api-error.ts'
import type { TransactionStores } from '../../domain/stores/stores.ts'
import { type Claim, type ClaimStatus, claimStatusAt } from '../../domain/tenants/claim.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'
import { callbackHostsOf } from '../social-login/read-callback-hosts.ts'

const TOKEN_SHAPE = /^[A-Za-z0-9_-]{43}$/

export interface ClaimDetails {
  readonly claim: Claim
  readonly status: ClaimStatus
  readonly tenant: Tenant
  readonly callbackHosts: readonly string[]
  readonly users: number
  readonly signIns: number
}

/** The claim of a link, or of the cookie that replaces it. */
export async function findClaim(
  ctx: Pick<Context, 'keyring'> & { readonly stores: Pick<TransactionStores, 'claims'> },
  token: string,
): Promise<Claim> {
  const claim = TOKEN_SHAPE.test(token) ? await ctx.stores.claims.findByToken(ctx.keyring.hashes('claim', token)) : null
  if (claim === null) throw claimUnknown()
  return claim
}

/** What the claim page shows: the claim, its status, and the tenant. Read-only. */
export async function readClaim(ctx: Context, token: string): Promise<ClaimDetails> {
  const claim = await findClaim(ctx, token)
  const tenant = await ctx.stores.tenants.find(claim.tenantId)
  if (tenant === null) throw claimUnknown()
  const { stores } = ctx
  const resource = await stores.resources.findActive(tenant.id)
  const daily = resource === null ? [] : await stores.events.daily(resource, '')
  return {
    claim,
    status: claimStatusAt(claim, ctx.now()),
    tenant,
    callbackHosts: callbackHostsOf(resource?.callbackUrls ?? []),
    users: resource === null ? 0 : await stores.users.count(resource),
    signIns: daily.filter(({ event }) => event === 'authorize').reduce((sum, { count }) => sum + count, 0),
  }
}

export const claimUnknown = (): ApiError =>
  new ApiError(
    'claimUnknown',
    'This claim link is not one of ours, or its project is gone. Ask the agent for a new link.',
  )
