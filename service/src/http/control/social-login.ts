import {
  listResources as listResourcesEndpoint,
  provisionResources as provisionResourcesEndpoint,
  provisionSocialLogin as provisionSocialLoginEndpoint,
  removeSocialLogin as removeSocialLoginEndpoint,
} from '@gatehouse/contract'
import { listResources } from '../../operations/social-login/list-resources.ts'
import { provisionSocialLogin } from '../../operations/social-login/provision.ts'
import { removeSocialLogin } from '../../operations/social-login/remove.ts'
import { configurationOf } from '../configuration.ts'
import type { App, Surface } from '../dependencies.ts'
import { mountManaged } from '../mount.ts'
import { resourceResultView, resourceView } from '../views.ts'

export function socialLoginRoutes(app: App, surface: Surface): void {
  const { ctx } = surface

  mountManaged(app, surface, provisionSocialLoginEndpoint, async ({ body }, _c, tenant) => {
    const { resource, warnings } = await provisionSocialLogin(ctx, tenant, configurationOf(body))
    return resourceView(ctx.baseUrl, resource, warnings)
  })

  mountManaged(app, surface, removeSocialLoginEndpoint, async (_input, _c, tenant) => {
    await removeSocialLogin(ctx, tenant)
    return { success: true, resource: 'social-login', status: 'deleted' } as const
  })

  mountManaged(app, surface, listResourcesEndpoint, async (_input, _c, tenant) => ({
    resources: (await listResources(ctx, tenant)).map((resource) => resourceResultView(ctx.baseUrl, resource)),
  }))

  mountManaged(app, surface, provisionResourcesEndpoint, async ({ body }, _c, tenant) => {
    const configuration = configurationOf(body.configurations['social-login'], 'configurations.social-login.')
    const { resource, warnings } = await provisionSocialLogin(ctx, tenant, configuration)
    return { resources: [resourceResultView(ctx.baseUrl, resource, warnings)] }
  })
}
