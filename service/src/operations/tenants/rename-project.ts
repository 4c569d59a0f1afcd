import type { Author } from '../../domain/audit/action.ts'
import { invalidRequest } from '../../domain/invalid-request.ts'
import { readProjectName } from '../../domain/tenants/project-name.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { recordAction } from '../audit/record-action.ts'
import type { Context } from '../context.ts'

/** Gives the project a name in the console of its owner; an empty one removes it. */
export async function renameProject(ctx: Context, tenant: Tenant, text: string, author: Author): Promise<void> {
  const read = readProjectName(text)
  if (!read.ok) throw invalidRequest('The name was not changed.', [{ path: 'name', problem: read.problem }])
  await ctx.stores.transaction(async (stores) => {
    await stores.ownership.rename(tenant.id, read.name)
    await recordAction(stores, { tenantId: tenant.id, author, action: 'tenant.renamed', at: ctx.now() })
  })
}
