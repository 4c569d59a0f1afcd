import { ApiError, invalidRequest } from '../domain/api-error.ts'
import { OverLimit } from '../domain/limits/over-limit.ts'
import type { Profile, TestUser } from '../domain/login/identity-provider.ts'
import { requireTenantAccess, type Tenant } from '../domain/tenants/tenant.ts'
import { alreadyClaimed } from './claims/request-claim.ts'
import type { Context } from './context.ts'
import { handleOverLimit } from './limits/count-auth-event.ts'
import { NotAdmitted, type SignedInUser, signInUser } from './login/sign-in-user.ts'
import { endTenant } from './tenants/end-tenant.ts'
import { purgeResource, ROWS_BEFORE_RESPONSE } from './tenants/purge-resource.ts'
import { lockResource } from './tenants/require-tenant.ts'
import { userBlocked } from './users/identities.ts'

interface NewTestSession extends TestUser {
  /** How long the first access token is valid; null: as long as this service's others. */
  readonly accessTokenSeconds: number | null
}

/** Signs a made-up user in, with the same transaction as a consent. Only on a development service. */
export async function createTestSession(
  ctx: Context,
  tenant: Tenant,
  input: NewTestSession,
): Promise<SignedInUser> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'use', now)
  const profile = requireProfile(ctx, input)
  const issuing = { ...ctx, accessTokenSeconds: input.accessTokenSeconds ?? ctx.accessTokenSeconds }
  try {
    return await ctx.stores.transaction(async (stores) => {
      const resource = await lockResource(stores, tenant)
      return signInUser(issuing, stores, { tenant, resource, profile, attempt: null, now })
    })
  } catch (error) {
    if (error instanceof NotAdmitted) {
      throw userBlocked()
    }
    if (!(error instanceof OverLimit)) {
      throw error
    }
    // An owned tenant is never paused (decision 13).
    if (error.window === 'users' && tenant.owner !== null) {
      throw userLimit(error.limit)
    }
    throw await handleOverLimit(ctx, tenant, error)
  }
}

function requireProfile({ testProfile }: Context, user: TestUser): Profile {
  const read = testProfile?.(user)
  if (read === undefined) {
    throw new Error('Test sessions exist on a development service only.')
  }
  if (read.ok) {
    return read.profile
  }
  const path = read.fault === 'subject_invalid' ? 'subject' : 'email'
  throw invalidRequest('The development Google would not accept this user. Nothing was changed.', [
    { path, problem: `A sign-in with it fails with ${read.fault}.` },
  ])
}

const userLimit = (limit: number): ApiError =>
  new ApiError(
    'userLimit',
    `The account that owns this tenant stores ${limit} users, as many as its tier includes. Delete some: DELETE /api/social-login/users.`,
  )

/**
 * Replaces the social login of a tenant by an empty one with the same configuration, in one transaction: its tokens are
 * revoked and its users unreadable at once. Ids are not reused, and counted events stay counted. Only on a development
 * service.
 */
export async function deleteUsers(ctx: Context, tenant: Tenant): Promise<void> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'use', now)
  // Refusals stay, and those in memory are stored only for the social login that they are of.
  await ctx.refusals.flush()
  const removed = await ctx.stores.transaction(async (stores) => {
    const resource = await lockResource(stores, tenant)
    await stores.resources.markDeleted(tenant.id, now)
    await stores.attempts.removeByTenant(tenant.id)
    await stores.loginCodes.removeByTenant(tenant.id)
    await stores.resources.provision(tenant.id, resource.callbackUrls, now, resource)
    return resource
  })
  ctx.directory.invalidate(tenant.id)
  await purgeResource(ctx, tenant, removed.id, ROWS_BEFORE_RESPONSE)
}

/** Pauses or ends a guest as its limits or its 72 hours would; an owned tenant does neither. Only on a development service. */
export async function setTestStatus(
  ctx: Context,
  tenant: Tenant,
  status: 'paused' | 'expired',
): Promise<void> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'delete', now)
  if (status === 'expired') {
    return endTenant(ctx, tenant, 'test')
  }
  const paused = await ctx.stores.tenants.pause(tenant.id, 'lifetime_events', now)
  ctx.directory.invalidate(tenant.id)
  if (paused) {
    return
  }
  // It was paused already, or it has an owner.
  const current = await ctx.stores.tenants.find(tenant.id)
  if (current?.owner) {
    throw alreadyClaimed()
  }
}
