import type { TenantKey } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'

/** The keys of a project that work now. */
export const listKeys = (ctx: Pick<Context, 'stores' | 'now'>, { id }: Tenant): Promise<TenantKey[]> =>
  ctx.stores.tenants.listKeys(id, ctx.now())
