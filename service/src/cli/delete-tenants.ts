import { endTenant } from '../operations/tenants/end-tenant.ts'
import { TenantDirectory } from '../operations/tenants/tenant-directory.ts'
import { type Command, UsageError } from './command.ts'

/** Deletes tenants as their owner would. Running instances reject them within ten seconds. */
export const deleteTenants: Command = async (ids, { stores, now, print }) => {
  if (ids.length === 0) throw new UsageError('Usage: gatehouse tenants delete <id>…')
  const tenants = await Promise.all(ids.map((id) => stores.tenants.find(id)))
  const unknown = ids.filter((_, at) => tenants[at] === null)
  if (unknown.length > 0) throw new Error(`There is no tenant ${unknown.join(', ')}. Nothing was deleted.`)
  const ctx = { stores, now: () => now, directory: new TenantDirectory(stores, () => now) }
  for (const tenant of tenants) {
    if (tenant === null) continue
    await endTenant(ctx, tenant, 'deleted')
    print(`Deleted ${tenant.id} with its users, sessions, history and keys.`)
  }
}
