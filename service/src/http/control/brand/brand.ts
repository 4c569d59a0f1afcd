import {
  type Brand as BrandView,
  deleteBrand as deleteBrandEndpoint,
  deleteLogo as deleteLogoEndpoint,
  readBrand as readBrandEndpoint,
  setBrand as setBrandEndpoint,
  setLogo as setLogoEndpoint,
} from '@gatehouse/contract'
import type { z } from 'zod'
import type { TenantId } from '../../../domain/ids.ts'
import {
  type DescribedBrand,
  deleteBrand,
  deleteLogo,
  readBrand,
  requireLogoUpload,
  setBrand,
  setLogo,
} from '../../../operations/brand/brand.ts'
import { keyAuthor } from '../../callers/author.ts'
import type { App, HttpDependencies } from '../../dependencies.ts'
import { logoPath } from '../../logo.ts'
import { mountForManagementKey } from '../../mount-endpoint.ts'
import { readFile } from '../../request/body.ts'

export function brandRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps
  const view = ({ id }: { readonly id: TenantId }, brand: DescribedBrand): z.infer<typeof BrandView> => ({
    name: brand.name,
    privacy_url: brand.privacyUrl,
    terms_url: brand.termsUrl,
    accent: brand.accent,
    logo: brand.logo === null ? null : { url: ctx.baseUrl + logoPath(id, brand.logo), size: brand.logo.size },
    shown_on: [...brand.shownOn],
  })

  mountForManagementKey(app, deps, readBrandEndpoint, async (_input, _c, tenant) => {
    const brand = await readBrand(ctx, tenant)
    return { brand: brand === null ? null : view(tenant, brand) }
  })

  mountForManagementKey(app, deps, setBrandEndpoint, async ({ body }, c, tenant, key) => {
    const { name, privacy_url: privacyUrl = null, terms_url: termsUrl = null, accent = null } = body
    const brand = await setBrand(ctx, tenant, { name, privacyUrl, termsUrl, accent }, keyAuthor(c, key))
    return { brand: view(tenant, brand) }
  })

  mountForManagementKey(app, deps, deleteBrandEndpoint, async (_input, c, tenant, key) => {
    await deleteBrand(ctx, tenant, keyAuthor(c, key))
    return { success: true as const }
  })

  mountForManagementKey(app, deps, setLogoEndpoint, async (_input, c, tenant, key) => {
    await requireLogoUpload(ctx, tenant)
    const upload = await readFile(c, setLogoEndpoint.fileBody, setLogoEndpoint.bodyMaxBytes)
    return { brand: view(tenant, await setLogo(ctx, tenant, upload, keyAuthor(c, key))) }
  })

  mountForManagementKey(app, deps, deleteLogoEndpoint, async (_input, c, tenant, key) => {
    await deleteLogo(ctx, tenant, keyAuthor(c, key))
    return { success: true as const }
  })
}
