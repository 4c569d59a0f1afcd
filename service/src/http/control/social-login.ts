import {
  listResources as listResourcesEndpoint,
  provisionResources as provisionResourcesEndpoint,
  provisionSocialLogin as provisionSocialLoginEndpoint,
  removeSocialLogin as removeSocialLoginEndpoint,
} from '@gatehouse/contract'
import { listResources, provisionSocialLogin, removeSocialLogin } from '../../operations/social-login/provision.ts'
import { keyAuthor } from '../callers/author.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { mountForManagementKey } from '../mount-endpoint.ts'
import { readSocialLoginConfiguration } from '../social-login-configuration.ts'
import { resourceResultView, resourceView } from '../views.ts'

export function socialLoginRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mountForManagementKey(app, deps, provisionSocialLoginEndpoint, async ({ body }, c, tenant, key) => {
    const { resource, warnings } = await provisionSocialLogin(
      ctx,
      tenant,
      readSocialLoginConfiguration(body),
      keyAuthor(c, key),
    )
    return resourceView(ctx.baseUrl, resource, warnings)
  })

  mountForManagementKey(app, deps, removeSocialLoginEndpoint, async (_input, c, tenant, key) => {
    await removeSocialLogin(ctx, tenant, keyAuthor(c, key))
    return { success: true, resource: 'social-login', status: 'deleted' } as const
  })

  mountForManagementKey(app, deps, listResourcesEndpoint, async (_input, _c, tenant) => ({
    resources: (await listResources(ctx, tenant)).map((resource) => resourceResultView(ctx.baseUrl, resource)),
  }))

  mountForManagementKey(app, deps, provisionResourcesEndpoint, async ({ body }, c, tenant, key) => {
    const configuration = readSocialLoginConfiguration(
      body.configurations['social-login'],
      'configurations.social-login.',
    )
    const { resource, warnings } = await provisionSocialLogin(ctx, tenant, configuration, keyAuthor(c, key))
    return { resources: [resourceResultView(ctx.baseUrl, resource, warnings)] }
  })
}
