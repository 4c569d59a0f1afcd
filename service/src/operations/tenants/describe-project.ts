import type { Logo } from '../../domain/brand/brand.ts'
import { projectName } from '../../domain/tenants/project-name.ts'
import type { OwnedTenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'
import { readCallbackHosts } from '../social-login/read-callback-hosts.ts'

export interface DescribedProject {
  readonly tenantId: string
  /** What the console calls it (project-name.ts). */
  readonly name: string
  /** What the owner calls it. */
  readonly ownName: string | null
  readonly callbackHosts: readonly string[]
  readonly logo: Logo | null
}

/** How the console names a project. */
export async function describeProject(ctx: Pick<Context, 'stores'>, tenant: OwnedTenant): Promise<DescribedProject> {
  const callbackHosts = await readCallbackHosts(ctx, tenant)
  const brand = await ctx.stores.brands.find(tenant.id)
  const names = { tenantId: tenant.id, name: tenant.name, brandName: brand?.name ?? null, callbackHosts }
  return {
    tenantId: tenant.id,
    name: projectName(names),
    ownName: tenant.name,
    callbackHosts,
    logo: brand?.logo ?? null,
  }
}
