import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'

/** How many rows of the tenant's deleted social login are left. They are unreadable; the sweep deletes them in steps. */
export const readDeletionProgress = ({ stores }: Pick<Context, 'stores'>, { id }: Tenant): Promise<number> =>
  stores.resources.countDeleting(id)
