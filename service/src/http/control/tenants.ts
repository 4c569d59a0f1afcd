import { createGuestTenant as createGuestTenantEndpoint, readStatus as readStatusEndpoint } from '@gatehouse/contract'
import { ApiError } from '../../domain/api-error.ts'
import { createGuestTenant } from '../../operations/tenants/create-tenant.ts'
import { readStatus } from '../../operations/tenants/status.ts'
import { requestAddressKey } from '../callers/client-address.ts'
import type { App, Call, HttpDependencies } from '../dependencies.ts'
import { setRateHeaders } from '../headers.ts'
import { mount, mountForManagementKey } from '../mount-endpoint.ts'
import { acceptOf } from '../responses.ts'
import { newTenantView, statusView } from '../views.ts'

export function tenantRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  // Runs before the body is read and before any limit is counted (spec, Authentication 10).
  app.post(createGuestTenantEndpoint.path, async (c, next) => {
    c.set('route', createGuestTenantEndpoint.path)
    if (/curl/i.test(c.req.header('user-agent') ?? '')) {
      throw new ApiError(
        'bannedUserAgent',
        'A User-Agent containing "curl" may not create tenants. Send the name of your agent instead, e.g. -A my-agent.',
      )
    }
    await next()
  })

  mount(app, deps, createGuestTenantEndpoint, async (_input, c) => {
    const created = await createGuestTenant(ctx, { addressKey: requestAddressKey(deps, c), origin: 'genesis' })
    setRateHeaders(c, created.rate, ctx.now())
    const view = newTenantView(ctx.baseUrl, created)
    return wantsFile(c) ? c.text(view.credentials_file.content, 201) : view
  })

  mountForManagementKey(app, deps, readStatusEndpoint, async (_input, _c, tenant) =>
    statusView(ctx.baseUrl, await readStatus(ctx, tenant)),
  )
}

/** With `Accept: text/plain` the response body is the credentials file itself. */
const wantsFile = (c: Call): boolean => {
  const accept = acceptOf(c)
  return accept.includes('text/plain') && !accept.includes('application/json')
}
