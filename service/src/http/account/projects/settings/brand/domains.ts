import { addDomain as addDomainEndpoint } from '@gatehouse/contract'
import { methodOf } from '../../../../../domain/brand/domain.ts'
import { addDomain, checkDomain, deleteDomain } from '../../../../../operations/brand/domains.ts'
import { ownerAuthor } from '../../../../callers/author.ts'
import type { App, HttpDependencies } from '../../../../dependencies.ts'
import { parseBody } from '../../../../mount-endpoint.ts'
import { accountPaths } from '../../../paths.ts'
import { projectPost } from '../../project-route.ts'
import { formHandler, type ShowAgain } from '../section-form.ts'

/** The forms of the section "Domains". */
export function domainRoutes(app: App, deps: HttpDependencies, show: ShowAgain): void {
  const { ctx } = deps
  const done = (tenantId: string, message: string): string =>
    `${accountPaths.settings(tenantId)}?done=${message}#domains`
  const hostOf = (form: URLSearchParams): string => (form.get('host') ?? '').trim()

  projectPost(
    app,
    deps,
    '/settings/domains',
    formHandler('domains', show, async (c, { owner, tenant, form }) => {
      const { host } = parseBody(addDomainEndpoint.body, { host: hostOf(form) })
      await addDomain(ctx, tenant, host, ownerAuthor(c, owner))
      return done(tenant.id, 'domain-added')
    }),
  )

  projectPost(
    app,
    deps,
    '/settings/domains/check',
    formHandler('domains', show, async (c, { owner, tenant, form }) => {
      const { found } = await checkDomain(ctx, tenant, hostOf(form), ownerAuthor(c, owner))
      return done(tenant.id, methodOf(found) === null ? 'domain-missing' : 'domain-verified')
    }),
  )

  projectPost(
    app,
    deps,
    '/settings/domains/delete',
    formHandler('domains', show, async (c, { owner, tenant, form }) => {
      await deleteDomain(ctx, tenant, hostOf(form), ownerAuthor(c, owner))
      return done(tenant.id, 'domain-removed')
    }),
  )
}
