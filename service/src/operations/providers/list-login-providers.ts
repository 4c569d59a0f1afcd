import type { ProviderName } from '@gatehouse/contract'
import type { TenantId } from '../../domain/ids.ts'
import { clientInUse } from '../../domain/providers/provider-client.ts'
import { providerName } from '../../domain/providers/provider-label.ts'
import type { Context } from '../context.ts'
import { requireResource, requireTenant } from '../tenants/require-tenant.ts'

export interface LoginChoice {
  readonly name: ProviderName
  readonly displayName: string
}

/** What users of an app can sign in with. Public, as the login links are: it shows what opening each of them shows. */
export async function listLoginProviders(ctx: Context, tenantId: TenantId): Promise<LoginChoice[]> {
  const tenant = await requireTenant(ctx.stores, tenantId, ctx.now())
  await requireResource(ctx.stores, tenant)
  const clients = await ctx.stores.providerClients.listCurrent(tenant.id)
  const names = new Set<ProviderName>(['google', ...clients.map(({ provider }) => provider)])
  return [...names].flatMap((name) => {
    const client = clientInUse(clients, name)
    const isEnabled = client?.mode === 'own' || ((client !== null || name === 'google') && ctx.providers.shared(name))
    return isEnabled ? [{ name, displayName: providerName(name, client?.displayName ?? null) }] : []
  })
}
