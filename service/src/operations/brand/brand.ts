import { ApiError, type InputProblem, invalidRequest } from '../../domain/api-error.ts'
import {
  type Brand,
  type BrandSettings,
  brandOn,
  readBrandUrl,
  shownAppHash,
} from '../../domain/brand/brand.ts'
import { readBrandName } from '../../domain/brand/brand-name.ts'
import { coveringNames, type Domain, provenName } from '../../domain/brand/domain.ts'
import { logoHash, readPng } from '../../domain/brand/png.ts'
import type { TenantId } from '../../domain/ids.ts'
import type { Resource, TransactionStores } from '../../domain/stores/stores.ts'
import type { Author } from '../../domain/tenants/audit.ts'
import { lifecycleOf, requireTenantAccess, type Tenant } from '../../domain/tenants/tenant.ts'
import { isTenantId } from '../../domain/tenants/tenant-id.ts'
import type { Instant } from '../../domain/time.ts'
import type { Context } from '../context.ts'
import { recordAction } from '../tenants/audit.ts'
import { lockResource, requireResource } from '../tenants/require-tenant.ts'

/** A brand, and the hosts of registered callback URLs on which users see it. */
export interface DescribedBrand extends Brand {
  readonly shownOn: readonly string[]
}

export async function readBrand(ctx: Context, tenant: Tenant): Promise<DescribedBrand | null> {
  requireOwner(tenant, ctx.now(), 'read')
  return describeBrand(ctx.stores, await requireResource(ctx.stores, tenant))
}

async function describeBrand(
  { brands, domains }: Pick<TransactionStores, 'brands' | 'domains'>,
  { tenantId, callbackUrls }: Resource,
): Promise<DescribedBrand | null> {
  const brand = await brands.find(tenantId)
  if (brand === null) {
    return null
  }
  const listed = await domains.listByTenant(tenantId)
  // Any host below a wildcard: only a DNS record covers it.
  const isShown = (callback: string): boolean =>
    brandOn(brand, listed, new URL(callback.replace('*', 'any'))) !== null
  const hosts = callbackUrls.filter(isShown).map((callback) => new URL(callback).host)
  return { ...brand, shownOn: [...new Set(hosts)] }
}

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
    if (brand === null) {
      throw brandNotFound()
    }
    return brand
  })
}

function readSettings(
  { operatorName }: Pick<Context, 'operatorName'>,
  domains: readonly Domain[],
  requested: BrandSettings,
): BrandSettings {
  const problems: InputProblem[] = []
  const name = readBrandName(requested.name, {
    operatorName,
    domains: domains.map(provenName).filter((proven) => proven !== null),
    brandHint: 'It is shown only on a verified domain of that brand.',
  })
  if (!name.ok) {
    problems.push({ path: 'name', problem: name.problem })
  }

  const readLink = (path: string, url: string | null): string | null => {
    if (url === null) {
      return null
    }
    const read = readBrandUrl(url, domains)
    if (!read.ok) {
      problems.push({ path, problem: read.problem })
      return null
    }
    return read.url
  }
  const privacyUrl = readLink('privacy_url', requested.privacyUrl)
  const termsUrl = readLink('terms_url', requested.termsUrl)

  if (!name.ok || problems.length > 0) {
    throw invalidRequest(`This brand cannot be shown. ${problems[0]?.problem}`, problems)
  }
  return { name: name.name, privacyUrl, termsUrl, accent: requested.accent }
}

/** Deletes name, links, color and logo. Idempotent. */
export const deleteBrand = (ctx: Context, tenant: Tenant, author: Author): Promise<void> =>
  removeFromBrand(ctx, tenant, author, 'brand.deleted')

/** Idempotent. */
export const deleteLogo = (ctx: Context, tenant: Tenant, author: Author): Promise<void> =>
  removeFromBrand(ctx, tenant, author, 'brand.logo_deleted')

async function removeFromBrand(
  ctx: Context,
  tenant: Tenant,
  author: Author,
  action: 'brand.deleted' | 'brand.logo_deleted',
): Promise<void> {
  const now = ctx.now()
  requireOwner(tenant, now)
  await ctx.stores.transaction(async (stores) => {
    await lockResource(stores, tenant)
    const { brands } = stores
    const isRemoved =
      action === 'brand.deleted'
        ? await brands.remove(tenant.id)
        : await brands.removeLogo(tenant.id)
    if (isRemoved) {
      await recordAction(stores, { tenantId: tenant.id, author, action, at: now })
    }
  })
}

/** Checked before the body is read. */
export async function requireLogoUpload(ctx: Context, tenant: Tenant): Promise<void> {
  requireOwner(tenant, ctx.now())
  await requireResource(ctx.stores, tenant)
  if ((await ctx.stores.brands.find(tenant.id)) === null) {
    throw brandNotFound()
  }
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
    throw invalidRequest(`This logo cannot be used. ${read.problem}`, [
      { path: '', problem: read.problem },
    ])
  }
  const { png, size } = read
  return ctx.stores.transaction(async (stores) => {
    const resource = await lockResource(stores, tenant)
    await stores.brands.setLogo(tenant.id, { hash: logoHash(png), size, png }, now)
    await recordAction(stores, {
      tenantId: tenant.id,
      author,
      action: 'brand.logo_changed',
      at: now,
    })
    const brand = await describeBrand(stores, resource)
    // It was deleted meanwhile; this rolls the logo back.
    if (brand === null) {
      throw brandNotFound()
    }
    return brand
  })
}

/** The picture that an earlier page named by its hash; null if there is none, or another one now. */
export async function readLogo(
  ctx: Pick<Context, 'stores'>,
  tenantId: TenantId,
  hash: string,
): Promise<Uint8Array | null> {
  if (!isTenantId(tenantId) || !/^[0-9a-f]{64}$/.test(hash)) {
    return null
  }
  return ctx.stores.brands.findLogo(tenantId, hash)
}

/** Who an app is, as far as its owner has proved it. */
export interface App {
  /** The app is of a guest tenant, which has no owner yet. */
  readonly temporary: boolean
  /** Its owner controls the domain that users return to. */
  readonly verified: boolean
  /** null: only the host is shown. */
  readonly brand: Brand | null
}

/** The app that users of this login return to. Reads nothing for a guest, and no brand without a verified domain. */
export async function appOf(
  { stores }: Pick<Context, 'stores'>,
  tenant: Tenant,
  redirectUri: string,
): Promise<App> {
  if (lifecycleOf(tenant) === 'ephemeral') {
    return { temporary: true, verified: false, brand: null }
  }

  const callback = new URL(redirectUri)
  const domains = await stores.domains.listByTenant(tenant.id)
  if (coveringNames(domains, callback).length === 0) {
    return { temporary: false, verified: false, brand: null }
  }

  const brand = await stores.brands.find(tenant.id)
  return {
    temporary: false,
    verified: true,
    brand: brand === null ? null : brandOn(brand, domains, callback),
  }
}

/** What the consent page says about who this app is. */
export const hashOfApp = ({ owner }: Tenant, { verified, brand }: App): string =>
  shownAppHash({ owner: owner?.accountId ?? null, verified, brand })

const brandNotFound = (): ApiError =>
  new ApiError(
    'brandNotFound',
    'This tenant has no brand yet. Set its name first: PUT /api/social-login/brand.',
  )

/** A guest has no owner who answers for what its consent page says. */
export function requireOwner(tenant: Tenant, now: Instant, action: 'use' | 'read' = 'use'): void {
  requireTenantAccess(tenant, action, now)
  if (tenant.owner === null) {
    throw new ApiError(
      'ownerRequired',
      'Only a claimed tenant can verify domains and have a brand: POST /api/claim/url.',
    )
  }
}
