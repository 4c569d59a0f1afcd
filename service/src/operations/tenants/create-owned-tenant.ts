import { ApiError } from '../../domain/api-error.ts'
import type { Grant, Subject } from '../../domain/oauth/grant.ts'
import { newTenant } from '../../domain/tenants/new-tenant.ts'
import type { Tenant, TenantOrigin } from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'
import { limitByAddress } from '../limits/limit-by-address.ts'
import { GUEST_LIMIT, type NewTenant } from './create-guest-tenant.ts'
import { readCreation } from './read-creation.ts'
import { keyHashes, mintKeyPair, sealKeyPair } from './tenant-key-pair.ts'

export interface Creation {
  readonly grant: Grant
  /** The caller's own name for this creation. */
  readonly idempotencyKey: string
  readonly origin: Extract<TenantOrigin, 'mcp' | 'bootstrap'>
  /** Where it is counted when a guest asks. */
  readonly addressKey: string
}

export interface CreatedTenant extends NewTenant {
  /** It was there already: an earlier call with the same name created it. */
  readonly again: boolean
}

/**
 * A tenant for whoever a client acts for: an owner's, without an end, or a guest's, which remembers its guest.
 *
 * The name is taken in the transaction that creates the tenant, so that however many ask with one name, at once or
 * after a crash, there is one tenant, and everybody gets its keys (decision 29).
 */
export async function createOwnedTenant(ctx: Context, creation: Creation): Promise<CreatedTenant> {
  const [scope, ...older] = scopesOf(ctx, creation)
  const scopes = [scope, ...older]
  const known = await ctx.stores.creations.find(scopes)
  if (known !== null) return { ...(await readCreation(ctx, creation.grant, known)), again: true }

  const now = ctx.now()
  const tenant = await tenantFor(ctx, creation, now)
  const keys = mintKeyPair(ctx)
  const winner = await ctx.stores.transaction(async (stores) => {
    if (!(await stores.creations.take(scope, tenant.id, now))) return stores.creations.find(scopes)
    if (tenant.owner === null) await limitByAddress(ctx, stores, GUEST_LIMIT, creation.addressKey, now)
    await stores.tenants.create(tenant, keyHashes(ctx, keys))
    await stores.credentials.add(tenant.id, sealKeyPair(ctx, tenant.id, keys), now)
    return tenant.id
  })
  if (winner === tenant.id) return { tenant, ...keys, again: false }
  return { ...(await readCreation(ctx, creation.grant, winner)), again: true }
}

async function tenantFor(ctx: Context, { grant, origin }: Creation, now: number): Promise<Tenant> {
  const { subject } = grant
  const beginning = { origin, profile: ctx.profile, now }
  if (subject.kind === 'guest') {
    return newTenant({ ...beginning, owner: null, creatorGuestHash: subject.guestHash }, ctx.random)
  }
  const account = await ctx.stores.accounts.find(subject.accountId)
  if (account === null) throw new ApiError('tenantNotFound', 'The account this sign-in was for is gone. Sign in again.')
  return newTenant({ ...beginning, owner: { accountId: account.id, tier: account.tier } }, ctx.random)
}

/**
 * Who asks, through which client, for what, and the name they gave it; no two of these share a name. Hashed under the
 * first master key there ever was, so that instances in the middle of a rotation agree, and looked for under all.
 */
function scopesOf(
  { keyring }: Pick<Context, 'keyring'>,
  { grant, origin, idempotencyKey }: Creation,
): [string, ...string[]] {
  const text = [ownerOf(grant.subject), grant.clientId, origin, idempotencyKey].join('\0')
  const [first = keyring.current.kid, ...others] = [...keyring.kids].sort((a, b) => a - b)
  return [keyring.mac('creation', text, first), ...others.map((kid) => keyring.mac('creation', text, kid))]
}

const ownerOf = (subject: Subject): string =>
  subject.kind === 'account' ? `account:${subject.accountId}` : `guest:${subject.guestHash}`
