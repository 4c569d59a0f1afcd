import { loginUrl } from '@gatehouse/contract'
import { logOut } from '../../../operations/sessions/end-session.ts'
import { verifyAccessToken } from '../../../operations/sessions/verify-access-token.ts'
import { provisionSocialLogin } from '../../../operations/social-login/provision.ts'
import { createGuestTenant } from '../../../operations/tenants/create-tenant.ts'
import { pageRoute } from '../../account/form.ts'
import { requestAddressKey } from '../../callers/client-address.ts'
import { requireSameOrigin } from '../../callers/same-origin.ts'
import type { App, HttpDependencies } from '../../dependencies.ts'
import { redirectTo } from '../../edge/redirect-to.ts'
import { page } from '../../responses.ts'
import { TRY_IT_PATH, triedPage } from './try-it-page.ts'
import { readResult, signResult } from './try-it-result.ts'

/**
 * A first sign-in without an app: the button creates a guest, registers a callback of this site and starts a login. Only
 * with the development Google, which runs on loopback only: elsewhere a callback of this site could leak tokens.
 */
export function tryItRoutes(app: App, deps: HttpDependencies): void {
  if (!deps.development) return
  const { ctx } = deps

  pageRoute(app, deps, 'POST', TRY_IT_PATH, async (c) => {
    requireSameOrigin(c, ctx.baseUrl)
    const { tenant } = await createGuestTenant(ctx, { addressKey: requestAddressKey(deps, c), origin: 'genesis' })
    const callback = `${ctx.baseUrl}${TRY_IT_PATH}/${tenant.id}/callback`
    const configuration = { callbackUrls: [callback], pathOf: () => 'callback_urls' }
    await provisionSocialLogin(ctx, tenant, configuration, { actor: 'person', requestId: c.get('requestId') })
    return redirectTo(c, loginUrl(ctx.baseUrl, tenant.id))
  })

  pageRoute(app, deps, 'GET', `${TRY_IT_PATH}/:tenantId/callback`, async (c) => {
    const tenantId = c.req.param('tenantId') ?? ''
    const accessToken = c.req.query('access_token') ?? ''
    const verification = verifyAccessToken(ctx, { tenantId, accessToken })
    if (verification.outcome !== 'valid')
      return page(c, triedPage({ error: c.req.query('error') ?? 'none' }, deps.operator))
    // The tokens are in a URL, so the session ends here.
    await logOut(ctx, { tenantId, refreshToken: c.req.query('refresh_token') ?? '' })
    return redirectTo(c, `${ctx.baseUrl}${TRY_IT_PATH}/result?${signResult(ctx.keyring, verification.user)}`)
  })

  // A page of its own, so that a reload shows the result again and doesn't send the tokens again.
  pageRoute(app, deps, 'GET', `${TRY_IT_PATH}/result`, async (c) => {
    const user = readResult(ctx.keyring, new URL(c.req.url).searchParams)
    return page(c, triedPage(user === null ? { error: 'none' } : { user }, deps.operator))
  })
}
