import { invalidRequest } from '../../domain/api-error.ts'
import type { Logo } from '../../domain/brand/brand.ts'
import type { Author } from '../../domain/tenants/audit.ts'
import {
  type OwnedTenant,
  projectName,
  readProjectName,
  type Tenant,
} from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'
import { recordAction } from './audit.ts'
import { readCallbackHosts } from './provision.ts'

export interface DescribedProject {
  readonly tenantId: string
  /** What the console calls it (domain/tenants/tenant.ts). */
  readonly name: string
  /** What the owner calls it. */
  readonly ownName: string | null
  readonly callbackHosts: readonly string[]
  readonly logo: Logo | null
}

/** How the console names a project. */
export async function describeProject(
  ctx: Pick<Context, 'stores'>,
  tenant: OwnedTenant,
): Promise<DescribedProject> {
  const callbackHosts = await readCallbackHosts(ctx, tenant)
  const brand = await ctx.stores.brands.find(tenant.id)
  const names = {
    tenantId: tenant.id,
    name: tenant.name,
    brandName: brand?.name ?? null,
    callbackHosts,
  }
  return {
    tenantId: tenant.id,
    name: projectName(names),
    ownName: tenant.name,
    callbackHosts,
    logo: brand?.logo ?? null,
  }
}

/** Gives the project a name in the console of its owner; an empty one removes it. */
export async function renameProject(
  ctx: Context,
  tenant: Tenant,
  text: string,
  author: Author,
): Promise<void> {
  const read = readProjectName(text)
  if (!read.ok) {
    throw invalidRequest('The name was not changed.', [{ path: 'name', problem: read.problem }])
  }
  await ctx.stores.transaction(async (stores) => {
    await stores.ownership.rename(tenant.id, read.name)
    await recordAction(stores, {
      tenantId: tenant.id,
      author,
      action: 'tenant.renamed',
      at: ctx.now(),
    })
  })
}
