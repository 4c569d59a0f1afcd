import type { Author } from '../../domain/audit/action.ts'
import { type BrandSettings, readBrandUrl } from '../../domain/brand/brand.ts'
import { readBrandName } from '../../domain/brand/brand-name.ts'
import type { Domain } from '../../domain/brand/domain.ts'
import { registrableDomain } from '../../domain/brand/registrable-domain.ts'
import { type InputProblem, invalidRequest } from '../../domain/invalid-request.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { recordAction } from '../audit/record-action.ts'
import type { Context } from '../context.ts'
import { lockResource } from '../tenants/require-tenant.ts'
import { type DescribedBrand, describeBrand } from './read-brand.ts'
import { brandNotFound } from './require-brand.ts'
import { requireOwner } from './require-owner.ts'

/** Replaces name, links and color, and keeps the logo. */
export async function setBrand(
  ctx: Context,
  tenant: Tenant,
  requested: BrandSettings,
  author: Author,
): Promise<DescribedBrand> {
  const now = ctx.now()
  requireOwner(tenant, now)
  return ctx.stores.transaction(async (stores) => {
    const resource = await lockResource(stores, tenant)
    const settings = readSettings(ctx, await stores.domains.listByTenant(tenant.id), requested)
    await stores.brands.set(tenant.id, settings, now)
    await recordAction(stores, { tenantId: tenant.id, author, action: 'brand.changed', at: now })
    const brand = await describeBrand(stores, resource)
    if (brand === null) throw brandNotFound()
    return brand
  })
}

function readSettings(
  { operatorName }: Pick<Context, 'operatorName'>,
  domains: readonly Domain[],
  { name: text, privacyUrl, termsUrl, accent }: BrandSettings,
): BrandSettings {
  const problems: InputProblem[] = []
  const controlled = domains
    .filter(({ status }) => status === 'verified')
    .flatMap(({ host }) => registrableDomain(host) ?? [])
  const name = readBrandName(text, { operatorName, domains: controlled })
  if (!name.ok) problems.push({ path: 'name', problem: name.problem })
  const link = (path: string, url: string | null): string | null => {
    if (url === null) return null
    const read = readBrandUrl(url, domains)
    if (read.ok) return read.url
    problems.push({ path, problem: read.problem })
    return null
  }
  const links = { privacyUrl: link('privacy_url', privacyUrl), termsUrl: link('terms_url', termsUrl) }
  if (name.ok && problems.length === 0) return { name: name.name, ...links, accent }
  throw invalidRequest(`This brand cannot be shown. ${problems[0]?.problem}`, problems)
}
