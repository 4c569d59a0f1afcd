import { GUESTS_PER_MINUTE_PER_ADDRESS } from '@gatehouse/contract'
import type { Rate } from '../../domain/limits/rate.ts'
import { newTenant } from '../../domain/tenants/new-tenant.ts'
import type { Tenant, TenantOrigin } from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'
import { type AddressLimit, limitByAddress } from '../limits/limit-by-address.ts'
import { withAdvice } from '../unknown-outcome.ts'
import { keyHashes, mintKeyPair, type TenantKeyPair } from './tenant-key-pair.ts'

/** Shared by REST and MCP, so that one is no way around the limit of the other. */
export const GUEST_LIMIT: AddressLimit = {
  scope: 'guests',
  perMinute: GUESTS_PER_MINUTE_PER_ADDRESS,
  action: 'create guest tenants',
}

const GUEST_ADVICE =
  'A guest tenant may have been created. Its keys are lost, so it ends after 72 hours without a trace. Ask the user before you create another.'

export interface NewTenant extends TenantKeyPair {
  readonly tenant: Tenant
}

export interface NewGuest extends NewTenant {
  /** What the client address may still create in this minute; null: not limited. */
  readonly rate: Rate | null
}

/** Creates a tenant without an owner that expires after 72 hours. Only hashes of its keys are stored. */
export async function createGuestTenant(
  ctx: Context,
  { addressKey, origin }: { addressKey: string; origin: TenantOrigin },
): Promise<NewGuest> {
  const now = ctx.now()
  const tenant = newTenant({ origin, profile: ctx.profile, now, owner: null }, ctx.random)
  const keys = mintKeyPair(ctx)
  const creating = ctx.stores.confirmedTransaction(async (stores) => {
    const left = await limitByAddress(ctx, stores, GUEST_LIMIT, addressKey, now)
    await stores.tenants.create(tenant, keyHashes(ctx, keys))
    return left
  })
  const rate = await withAdvice(GUEST_ADVICE, creating)
  return { tenant, ...keys, rate }
}
