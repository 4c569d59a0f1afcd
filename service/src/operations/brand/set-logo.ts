import type { Author } from '../../domain/audit/action.ts'
import { logoHash, readPng } from '../../domain/brand/png.ts'
import { invalidRequest } from '../../domain/invalid-request.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { recordAction } from '../audit/record-action.ts'
import type { Context } from '../context.ts'
import { lockResource, requireResource } from '../tenants/require-tenant.ts'
import { type DescribedBrand, describeBrand } from './read-brand.ts'
import { brandNotFound } from './require-brand.ts'
import { requireOwner } from './require-owner.ts'

/** Checked before the body is read. */
export async function requireLogoUpload(ctx: Context, tenant: Tenant): Promise<void> {
  requireOwner(tenant, ctx.now())
  await requireResource(ctx.stores, tenant)
  if ((await ctx.stores.brands.find(tenant.id)) === null) throw brandNotFound()
}

/** Stores the pixels of a picture, and nothing else of it. */
export async function setLogo(
  ctx: Context,
  tenant: Tenant,
  upload: Uint8Array,
  author: Author,
): Promise<DescribedBrand> {
  const now = ctx.now()
  const read = readPng(upload)
  if (!read.ok) {
    throw invalidRequest(`This logo cannot be used. ${read.problem}`, [{ path: '', problem: read.problem }])
  }
  const { png, size } = read
  return ctx.stores.transaction(async (stores) => {
    const resource = await lockResource(stores, tenant)
    await stores.brands.setLogo(tenant.id, { hash: logoHash(png), size, png }, now)
    await recordAction(stores, { tenantId: tenant.id, author, action: 'brand.logo_changed', at: now })
    const brand = await describeBrand(stores, resource)
    // It was deleted meanwhile; this rolls the logo back.
    if (brand === null) throw brandNotFound()
    return brand
  })
}
