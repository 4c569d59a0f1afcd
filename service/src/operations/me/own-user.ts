import { ApiError } from '../../domain/api-error.ts'
import type { TenantId } from '../../domain/ids.ts'
import type { Identity } from '../../domain/me/person.ts'
import type { KnownUser } from '../../domain/sessions/user.ts'
import type { Resource } from '../../domain/stores/stores.ts'
import { statusAt, type Tenant } from '../../domain/tenants/tenant.ts'
import { isTenantId } from '../../domain/tenants/tenant-id.ts'
import type { Context } from '../context.ts'

export interface OwnUser {
  readonly tenant: Tenant
  readonly resource: Resource
  readonly user: KnownUser
}

/** An app that has not ended, and its social login; otherwise null. */
export async function findApp(
  { stores, now }: Pick<Context, 'stores' | 'now'>,
  tenantId: TenantId,
): Promise<Omit<OwnUser, 'user'> | null> {
  const tenant = isTenantId(tenantId) ? await stores.tenants.find(tenantId) : null
  if (tenant === null || statusAt(tenant, now()) === 'expired') return null
  const resource = await stores.resources.findActive(tenant.id)
  return resource === null ? null : { tenant, resource }
}

/**
 * The user of this person in an app. Found by the identity that the provider confirmed, never by an id of the request:
 * prevents that a person changes the data of another. null: there is none, or the app has ended.
 */
export async function findOwnUser(
  ctx: Pick<Context, 'stores' | 'now'>,
  { issuer, subject }: Identity,
  tenantId: TenantId,
): Promise<OwnUser | null> {
  const app = await findApp(ctx, tenantId)
  const user = app === null ? null : await ctx.stores.users.findBySubject(app.resource, issuer, subject)
  return app === null || user === null ? null : { ...app, user }
}

/** Idempotent: what the owner deleted meanwhile, the user or the social login, needs no change. */
export async function unlessGone(change: Promise<unknown>): Promise<void> {
  try {
    await change
  } catch (error) {
    if (!(error instanceof ApiError && (error.code === 'userNotFound' || error.code === 'notProvisioned'))) throw error
  }
}
