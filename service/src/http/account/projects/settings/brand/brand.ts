import { setBrand as setBrandEndpoint } from '@gatehouse/contract'
import { invalidRequest } from '../../../../../domain/api-error.ts'
import { deleteBrand, deleteLogo, requireLogoUpload, setBrand, setLogo } from '../../../../../operations/brand/brand.ts'
import { ownerAuthor } from '../../../../callers/author.ts'
import type { App, HttpDependencies } from '../../../../dependencies.ts'
import { parseBody } from '../../../../mount-endpoint.ts'
import { accountPaths } from '../../../paths.ts'
import { projectPost } from '../../project-route.ts'
import { formHandler, type ShowAgain } from '../section-form.ts'

/** More than a logo may have, so that its own rules say what is wrong with most files. */
const UPLOAD_MAX_BYTES = 1_024 * 1_024

/** The forms of the section "Branding". */
export function brandRoutes(app: App, deps: HttpDependencies, show: ShowAgain): void {
  const { ctx } = deps
  const done = (tenantId: string, message: string): string => `${accountPaths.settings(tenantId)}?done=${message}#brand`

  projectPost(
    app,
    deps,
    '/settings/brand',
    formHandler('brand', show, async (c, { owner, tenant, form }) => {
      const fields = { name: form.get('name') ?? '', ...orNull(form, 'privacy_url', 'terms_url', 'accent') }
      const {
        name,
        privacy_url: privacyUrl = null,
        terms_url: termsUrl = null,
        accent = null,
      } = parseBody(setBrandEndpoint.body, fields)
      await setBrand(ctx, tenant, { name, privacyUrl, termsUrl, accent }, ownerAuthor(c, owner))
      return done(tenant.id, 'brand')
    }),
  )

  projectPost(
    app,
    deps,
    '/settings/brand/delete',
    formHandler('logo', show, async (c, { owner, tenant }) => {
      await deleteBrand(ctx, tenant, ownerAuthor(c, owner))
      return done(tenant.id, 'brand-removed')
    }),
  )

  projectPost(
    app,
    deps,
    '/settings/logo',
    formHandler('logo', show, async (c, { owner, tenant, file }) => {
      await requireLogoUpload(ctx, tenant)
      if (file === null) throw invalidRequest('Choose a PNG file.', [])
      await setLogo(ctx, tenant, file, ownerAuthor(c, owner))
      return done(tenant.id, 'logo')
    }),
    { fileMaxBytes: UPLOAD_MAX_BYTES },
  )

  projectPost(
    app,
    deps,
    '/settings/logo/delete',
    formHandler('logo', show, async (c, { owner, tenant }) => {
      await deleteLogo(ctx, tenant, ownerAuthor(c, owner))
      return done(tenant.id, 'logo-removed')
    }),
  )
}

/** An empty field means none. */
const orNull = (form: URLSearchParams, ...names: string[]): Record<string, string | null> =>
  Object.fromEntries(names.map((name) => [name, form.get(name)?.trim() || null]))
