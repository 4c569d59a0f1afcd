import { ApiError, invalidRequest } from '../../domain/api-error.ts'
import { callbackHostsOf, readCallbackList } from '../../domain/callbacks/url.ts'
import type { Resource, ResourceSettings } from '../../domain/stores/stores.ts'
import type { Author } from '../../domain/tenants/audit.ts'
import { requireTenantAccess, type Tenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'
import { requireRelays } from '../providers/login-provider.ts'
import { recordAction } from './audit.ts'
import { requireUnblockedHosts } from './blocked-hosts.ts'
import { markSocialLoginDeleted, purgeResource, ROWS_BEFORE_RESPONSE } from './purge-resource.ts'
import { notProvisioned, requireResource, requireTenant } from './require-tenant.ts'

export interface Configuration {
  readonly callbackUrls: readonly string[]
  readonly settings?: ResourceSettings
  /** The path in the request of the callback at this index; null: of the list itself. */
  readonly pathOf: (index: number | null) => string
}

/** Replaces the whole callback list; users and sessions are kept (spec, Social-login provisioning). */
export async function provisionSocialLogin(
  ctx: Context,
  tenant: Tenant,
  configuration: Configuration,
  author: Author,
): Promise<{ readonly resource: Resource; readonly warnings: readonly string[] }> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'use', now)
  const list = readCallbackList(configuration.callbackUrls)
  if (!list.ok) {
    throw invalidRequest(
      'Some callback URLs cannot be registered. Nothing was changed.',
      list.problems.map(({ index, problem }) => ({ path: configuration.pathOf(index), problem })),
    )
  }

  const callbackUrls = list.callbacks.map(({ href }) => href)
  const hosts = list.callbacks.map(({ host }) => host)
  const resource = await ctx.stores.transaction(async (stores) => {
    await requireUnblockedHosts(stores, hosts)
    await recordAction(stores, {
      tenantId: tenant.id,
      author,
      action: 'social_login.provisioned',
      at: now,
    })
    // Locks the resource, so that no relay is set meanwhile.
    const changed = await stores.resources.provision(
      tenant.id,
      callbackUrls,
      now,
      configuration.settings,
    )
    if (tenant.owner !== null) {
      await requireRelays(ctx, stores, changed, configuration)
    }
    return changed
  })
  ctx.directory.invalidate(tenant.id)
  return { resource, warnings: list.warnings }
}

interface SettingsChange {
  readonly settings: ResourceSettings
  /** The names of the changed settings on the wire, for the audit. */
  readonly names: readonly string[]
}

/** Changes the given settings. Two calls that change different ones both take effect. */
export async function changeSettings(
  ctx: Context,
  tenant: Tenant,
  { settings, names }: SettingsChange,
  author: Author,
): Promise<Resource> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'use', now)
  if (settings.rememberConsent === true && tenant.owner === null) {
    throw ownerRequired()
  }
  const resource = await ctx.stores.transaction(async (stores) => {
    const changed = await stores.resources.changeSettings(tenant.id, settings, now)
    if (changed === null) {
      throw notProvisioned()
    }
    await recordAction(stores, {
      tenantId: tenant.id,
      author,
      action: 'settings.changed',
      target: names.toSorted().join(' '),
      at: now,
    })
    return changed
  })
  ctx.directory.invalidate(tenant.id)
  return resource
}

const ownerRequired = (): ApiError =>
  new ApiError(
    'ownerRequired',
    'Only a claimed tenant can set remember_consent: POST /api/claim/url. Users of a guest are asked at every sign-in.',
  )

export async function readSettings(ctx: Context, tenant: Tenant): Promise<Resource> {
  requireTenantAccess(tenant, 'read', ctx.now())
  return requireResource(ctx.stores, tenant)
}

/** null: social login is not provisioned. */
export async function findSettings(ctx: Context, tenant: Tenant): Promise<Resource | null> {
  requireTenantAccess(tenant, 'read', ctx.now())
  return ctx.stores.resources.findActive(tenant.id)
}

export async function listResources(ctx: Context, tenant: Tenant): Promise<Resource[]> {
  const resource = await findSettings(ctx, tenant)
  return resource === null ? [] : [resource]
}

/** The hosts that users of a tenant's app return to, each once. */
export async function readCallbackHosts(
  { stores }: Pick<Context, 'stores'>,
  tenant: Tenant,
): Promise<string[]> {
  const resource = await stores.resources.findActive(tenant.id)
  return callbackHostsOf(resource?.callbackUrls ?? [])
}

/** Deletes everything permanently. Once the resource is marked as deleted, none of its rows can be read. */
export async function removeSocialLogin(
  ctx: Context,
  tenant: Tenant,
  author: Author,
): Promise<void> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'delete', now)
  // Refusals in memory would be stored after the deletion.
  await ctx.refusals.flush()
  const removed = await ctx.stores.transaction(async (stores) => {
    const resource = await markSocialLoginDeleted(stores, tenant.id, now)
    // Again: what was suspended since the tenant was read stays. A suspension waits for the deletion, or the deletion for it.
    await requireTenant(stores, tenant.id, now, 'delete')
    if (resource !== null) {
      await recordAction(stores, {
        tenantId: tenant.id,
        author,
        action: 'social_login.removed',
        at: now,
      })
    }
    return resource
  })
  ctx.directory.invalidate(tenant.id)
  if (removed !== null) {
    await purgeResource(ctx, tenant, removed.id, ROWS_BEFORE_RESPONSE)
  }
}
