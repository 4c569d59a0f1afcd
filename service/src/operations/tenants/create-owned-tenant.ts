import type { Account } from '../../domain/accounts/account.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { Grant, Subject } from '../../domain/oauth/grant.ts'
import { newTenant } from '../../domain/tenants/new-tenant.ts'
import type { Tenant, TenantOrigin } from '../../domain/tenants/tenant.ts'
import { countProject } from '../accounts/count-project.ts'
import type { Context } from '../context.ts'
import { limitByAddress } from '../limits/limit-by-address.ts'
import { withAdvice } from '../unknown-outcome.ts'
import { GUEST_LIMIT, type NewTenant } from './create-guest-tenant.ts'
import { readCreation } from './read-creation.ts'
import { keyHashes, mintKeyPair, sealKeyPair } from './tenant-key-pair.ts'

export interface Creation {
  readonly grant: Grant
  readonly idempotencyKey: string
  readonly origin: Extract<TenantOrigin, 'mcp' | 'bootstrap'>
  /** For the rate limit of guests. */
  readonly addressKey: string
}

const CREATION_ADVICE =
  'The tenant may have been created. To find out, send the same idempotency_key again in a few seconds: it returns that tenant with its keys, or creates it once.'

export interface CreatedTenant extends NewTenant {
  /** An earlier call with the same idempotency key created it. */
  readonly repeated: boolean
}

/**
 * Creates a tenant for the subject of a grant: owned by an account, or a guest tenant bound to the guest.
 *
 * Idempotent: the idempotency key is stored in the transaction that creates the tenant, so that concurrent calls and
 * retries after a crash create one tenant and all get its keys (decision 29).
 */
export async function createOwnedTenant(ctx: Context, creation: Creation): Promise<CreatedTenant> {
  const [scope, ...older] = scopesOf(ctx, creation)
  const scopes = [scope, ...older]
  const known = await ctx.stores.creations.find(scopes)
  if (known !== null) return { ...(await readCreation(ctx, creation.grant, known)), repeated: true }

  const now = ctx.now()
  const account = await accountFor(ctx, creation.grant)
  const tenant = tenantFor(ctx, creation, account, now)
  const keys = mintKeyPair(ctx)
  const creating = ctx.stores.confirmedTransaction(async (stores) => {
    if (!(await stores.creations.take(scope, tenant.id, now))) return stores.creations.find(scopes)
    if (account === null) await limitByAddress(ctx, stores, GUEST_LIMIT, creation.addressKey, now)
    else await countProject(stores, account)
    await stores.tenants.create(tenant, keyHashes(ctx, keys))
    await stores.credentials.add(tenant.id, sealKeyPair(ctx, tenant.id, keys), now)
    return tenant.id
  })
  const winner = await withAdvice(CREATION_ADVICE, creating)
  if (winner === tenant.id) return { tenant, ...keys, repeated: false }
  return { ...(await readCreation(ctx, creation.grant, winner)), repeated: true }
}

/** null: the grant is a guest's. */
async function accountFor(ctx: Context, { subject }: Grant): Promise<Account | null> {
  if (subject.kind === 'guest') return null
  const account = await ctx.stores.accounts.find(subject.accountId)
  if (account === null) throw new ApiError('tenantNotFound', 'The account this sign-in was for is gone. Sign in again.')
  return account
}

function tenantFor(ctx: Context, { grant, origin }: Creation, account: Account | null, now: number): Tenant {
  const owner = account === null ? null : { accountId: account.id, tier: account.tier }
  const guest = grant.subject.kind === 'guest' ? { creatorGuestHash: grant.subject.guestHash } : {}
  return newTenant({ origin, profile: ctx.profile, now, owner, ...guest }, ctx.random)
}

/**
 * Hashes of subject, client, origin and idempotency key, one for each master key. The first is under the oldest key, so
 * that instances agree on it during a key rotation; it is stored, and all of them are searched.
 */
function scopesOf(
  { keyring }: Pick<Context, 'keyring'>,
  { grant, origin, idempotencyKey }: Creation,
): [string, ...string[]] {
  const text = [subjectText(grant.subject), grant.clientId, origin, idempotencyKey].join('\0')
  const [first = keyring.current.kid, ...others] = [...keyring.kids].sort((a, b) => a - b)
  return [keyring.mac('creation', text, first), ...others.map((kid) => keyring.mac('creation', text, kid))]
}

const subjectText = (subject: Subject): string =>
  subject.kind === 'account' ? `account:${subject.accountId}` : `guest:${subject.guestHash}`
