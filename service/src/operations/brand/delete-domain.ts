import type { Author } from '../../domain/audit/action.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { recordAction } from '../audit/record-action.ts'
import type { Context } from '../context.ts'
import { domainNotFound, domainRef } from './require-domain.ts'
import { requireOwner } from './require-owner.ts'

export async function deleteDomain(ctx: Context, tenant: Tenant, host: string, author: Author): Promise<void> {
  const now = ctx.now()
  requireOwner(tenant, now)
  const ref = domainRef(ctx, tenant, host)
  await ctx.stores.transaction(async (stores) => {
    if (!(await stores.domains.remove(ref))) throw domainNotFound()
    await recordAction(stores, { tenantId: tenant.id, author, action: 'domain.deleted', target: ref.host, at: now })
  })
}
