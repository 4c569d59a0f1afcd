import type { ProviderName } from '@gatehouse/contract'
import { callbackPath } from '../../domain/providers/callback-path.ts'
import { clientInUse, newestClient, type ProviderClient } from '../../domain/providers/provider-client.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import type { Context } from '../context.ts'
import { requireResource } from '../tenants/require-tenant.ts'

/** A provider of an app, as its owner sees it. */
export interface DescribedProvider {
  readonly name: ProviderName
  /** What the owner set last; null: nothing, so that Google is shared. */
  readonly client: ProviderClient | null
  /** null: the provider is not enabled. */
  readonly inUse: Pick<ProviderClient, 'mode' | 'clientId'> | null
  readonly redirectUri: string
}

const SHARED = { mode: 'shared', clientId: null } as const

/** Google first, which every app has, then the others in the order in which they were set up. */
export async function listProviders(ctx: Context, tenant: Tenant): Promise<DescribedProvider[]> {
  requireTenantAccess(tenant, 'read', ctx.now())
  await requireResource(ctx.stores, tenant)
  const clients = await ctx.stores.providerClients.listCurrent(tenant.id)
  const names = new Set<ProviderName>(['google', ...clients.map(({ provider }) => provider)])
  return [...names].map((name) => describeProvider(ctx, tenant, name, clients))
}

export function describeProvider(
  { baseUrl }: Pick<Context, 'baseUrl'>,
  tenant: Tenant,
  name: ProviderName,
  clients: readonly ProviderClient[],
): DescribedProvider {
  const client = newestClient(clients, name)
  const redirectUri = client?.redirectUri ?? baseUrl + callbackPath(name, tenant.id)
  return { name, client, inUse: clientInUse(clients, name) ?? (name === 'google' ? SHARED : null), redirectUri }
}
