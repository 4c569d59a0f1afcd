import * as endpoints from '@gatehouse-auth/contract'
import {
  changeSettings,
  listResources,
  provisionSocialLogin,
  readSettings,
  removeSocialLogin,
} from '../../operations/tenants/provision.ts'
import { createTestSession, deleteUsers, setTestStatus } from '../../operations/test-support.ts'
import { keyAuthor } from '../callers/author.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { setRateHeaders } from '../headers.ts'
import { mountForManagementKey } from '../mount-endpoint.ts'
import { readSettingsChange, settingsView } from '../settings-views.ts'
import { readSocialLoginConfiguration, resourceResultView, resourceView } from '../views.ts'

export function socialLoginRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mountForManagementKey(
    app,
    deps,
    endpoints.provisionSocialLogin,
    async ({ body }, c, tenant, key) => {
      const { resource, warnings } = await provisionSocialLogin(
        ctx,
        tenant,
        readSocialLoginConfiguration(body),
        keyAuthor(c, key),
      )
      return resourceView(ctx.baseUrl, resource, warnings)
    },
  )

  mountForManagementKey(app, deps, endpoints.removeSocialLogin, async (_input, c, tenant, key) => {
    await removeSocialLogin(ctx, tenant, keyAuthor(c, key))
    return { success: true, resource: 'social-login', status: 'deleted' } as const
  })

  mountForManagementKey(app, deps, endpoints.listResources, async (_input, _c, tenant) => ({
    resources: (await listResources(ctx, tenant)).map((resource) =>
      resourceResultView(ctx.baseUrl, resource),
    ),
  }))

  mountForManagementKey(
    app,
    deps,
    endpoints.provisionResources,
    async ({ body }, c, tenant, key) => {
      const configuration = readSocialLoginConfiguration(
        body.configurations['social-login'],
        'configurations.social-login.',
      )
      const { resource, warnings } = await provisionSocialLogin(
        ctx,
        tenant,
        configuration,
        keyAuthor(c, key),
      )
      return { resources: [resourceResultView(ctx.baseUrl, resource, warnings)] }
    },
  )
}

export function settingsRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mountForManagementKey(app, deps, endpoints.readSettings, async (_input, _c, tenant) =>
    settingsView(await readSettings(ctx, tenant)),
  )

  mountForManagementKey(app, deps, endpoints.changeSettings, async ({ body }, c, tenant, key) => {
    const change = { settings: readSettingsChange(body), names: Object.keys(body) }
    return settingsView(await changeSettings(ctx, tenant, change, keyAuthor(c, key)))
  })
}

/** For the tests of apps. Prevents test sessions on a real service: there, these routes do not exist. */
export function testSupportRoutes(app: App, deps: HttpDependencies): void {
  const { ctx, development } = deps
  if (!development) {
    return
  }

  mountForManagementKey(app, deps, endpoints.createTestSession, async ({ body }, c, tenant) => {
    const { access_token_seconds: accessTokenSeconds = null, ...user } = body
    const signedIn = await createTestSession(ctx, tenant, { ...user, accessTokenSeconds })
    setRateHeaders(c, signedIn.rate, ctx.now())
    const { id, email, name, picture } = signedIn.user
    const { accessToken, refreshToken } = signedIn.pair
    return {
      access_token: accessToken,
      refresh_token: refreshToken,
      user: { id, email, name, picture },
    }
  })

  mountForManagementKey(app, deps, endpoints.deleteUsers, async (_input, _c, tenant) => {
    await deleteUsers(ctx, tenant)
    return { success: true } as const
  })

  mountForManagementKey(app, deps, endpoints.setTestStatus, async ({ body }, _c, tenant) => {
    await setTestStatus(ctx, tenant, body.status)
    return { tenant_id: tenant.id, status: body.status }
  })
}
