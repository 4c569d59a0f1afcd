import { ApiError } from '../../domain/api-error.ts'
import type { Author } from '../../domain/audit/action.ts'
import type { Resource, ResourceSettings } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import { recordAction } from '../audit/record-action.ts'
import type { Context } from '../context.ts'
import { notProvisioned } from '../tenants/require-tenant.ts'

export interface SettingsChange {
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
  if (settings.rememberConsent === true && tenant.owner === null) throw ownerRequired()
  const resource = await ctx.stores.transaction(async (stores) => {
    const changed = await stores.resources.changeSettings(tenant.id, settings, now)
    if (changed === null) throw notProvisioned()
    const target = [...names].sort().join(' ')
    await recordAction(stores, { tenantId: tenant.id, author, action: 'settings.changed', target, at: now })
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
