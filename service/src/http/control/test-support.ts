import {
  createTestSession as createTestSessionEndpoint,
  deleteUsers as deleteUsersEndpoint,
  setTestStatus as setTestStatusEndpoint,
} from '@gatehouse/contract'
import { createTestSession, deleteUsers, setTestStatus } from '../../operations/test-support.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { setRateHeaders } from '../headers.ts'
import { mountForManagementKey } from '../mount-endpoint.ts'

/** For the tests of apps. Prevents test sessions on a real service: there, these routes do not exist. */
export function testSupportRoutes(app: App, deps: HttpDependencies): void {
  const { ctx, development } = deps
  if (!development) return

  mountForManagementKey(app, deps, createTestSessionEndpoint, async ({ body }, c, tenant) => {
    const { access_token_seconds: accessTokenSeconds = null, ...user } = body
    const signedIn = await createTestSession(ctx, tenant, { ...user, accessTokenSeconds })
    setRateHeaders(c, signedIn.rate, ctx.now())
    const { id, email, name, picture } = signedIn.user
    const { accessToken, refreshToken } = signedIn.pair
    return { access_token: accessToken, refresh_token: refreshToken, user: { id, email, name, picture } }
  })

  mountForManagementKey(app, deps, deleteUsersEndpoint, async (_input, _c, tenant) => {
    await deleteUsers(ctx, tenant)
    return { success: true } as const
  })

  mountForManagementKey(app, deps, setTestStatusEndpoint, async ({ body }, _c, tenant) => {
    await setTestStatus(ctx, tenant, body.status)
    return { tenant_id: tenant.id, status: body.status }
  })
}
