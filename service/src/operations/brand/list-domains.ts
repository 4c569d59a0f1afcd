import type { Domain } from '../../domain/brand/domain.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'
import { requireOwner } from './require-owner.ts'

export async function listDomains(ctx: Context, tenant: Tenant): Promise<Domain[]> {
  requireOwner(tenant, ctx.now(), 'read')
  return ctx.stores.domains.listByTenant(tenant.id)
}
