import type { Author } from '../../domain/audit/action.ts'
import { readCallbackList } from '../../domain/callbacks/url.ts'
import { invalidRequest } from '../../domain/invalid-request.ts'
import type { Resource, ResourceSettings } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import { recordAction } from '../audit/record-action.ts'
import type { Context } from '../context.ts'
import { requireUnblockedHosts } from '../moderation/require-unblocked-hosts.ts'
import { requireRelays } from '../providers/require-relays.ts'

export interface Provisioned {
  readonly resource: Resource
  readonly warnings: readonly string[]
}

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
): Promise<Provisioned> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'use', now)
  const list = readCallbackList(configuration.callbackUrls)
  if (!list.ok) {
    throw invalidRequest(
      'Some callback URLs cannot be registered. Nothing was changed.',
      list.problems.map(({ index, problem }) => ({ path: configuration.pathOf(index), problem })),
    )
  }
  const callbackUrls = list.callbacks.map((callback) => callback.href)
  const resource = await ctx.stores.transaction(async (stores) => {
    await requireUnblockedHosts(
      stores,
      list.callbacks.map(({ host }) => host),
    )
    await recordAction(stores, { tenantId: tenant.id, author, action: 'social_login.provisioned', at: now })
    // Locks the resource, so that no relay is set meanwhile.
    const changed = await stores.resources.provision(tenant.id, callbackUrls, now, configuration.settings)
    if (tenant.owner !== null) await requireRelays(ctx, stores, changed, configuration)
    return changed
  })
  ctx.directory.invalidate(tenant.id)
  return { resource, warnings: list.warnings }
}
