import type { Stores } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'

/** Throws if one of the ids is unknown, before anything is changed. */
export async function requireTenants(stores: Stores, ids: readonly string[]): Promise<Tenant[]> {
  const tenants = await Promise.all(ids.map((id) => stores.tenants.find(id)))
  const unknown = ids.filter((_, at) => tenants[at] === null)
  if (unknown.length > 0) {
    throw new Error(
      `There is no tenant ${unknown.join(', ')}. Nothing was changed. Search: gatehouse tenants find <text>`,
    )
  }
  return tenants.filter((tenant) => tenant !== null)
}

export async function requireTenant(stores: Stores, id: string): Promise<Tenant> {
  const [tenant] = await requireTenants(stores, [id])
  return tenant as Tenant
}
