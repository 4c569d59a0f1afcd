import { loginUrl, type VerifiedUser } from '@gatehouse-auth/contract'
import type { Keyring } from '../../domain/tokens/keyring.ts'
import { constantTimeEqual } from '../../domain/tokens/secret.ts'
import { logOut } from '../../operations/sessions/end-session.ts'
import { verifyAccessToken } from '../../operations/sessions/verify-access-token.ts'
import { createGuestTenant } from '../../operations/tenants/create-tenant.ts'
import { provisionSocialLogin } from '../../operations/tenants/provision.ts'
import { requestAddressKey } from '../callers/author.ts'
import { requireSameOrigin } from '../callers/same-origin.ts'
import { pageRoute } from '../console/form.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { redirectTo } from '../edge/redirect-to.ts'
import { codeBlock, personRow } from '../pages/elements.ts'
import { buttonForm } from '../pages/fields.ts'
import { layout } from '../pages/layout.ts'
import { type Html, html } from '../pages/markup.ts'
import type { Operator } from '../pages/operator.ts'
import { page } from '../responses.ts'

/**
 * A first sign-in without an app: the button creates a guest, registers a callback of this site and starts a login. Only
 * with the development Google, which runs on loopback only: elsewhere a callback of this site could leak tokens.
 */
export function tryItRoutes(app: App, deps: HttpDependencies): void {
  if (!deps.development) {
    return
  }
  const { ctx } = deps

  pageRoute(app, deps, 'POST', TRY_IT_PATH, async (c) => {
    requireSameOrigin(c, ctx.baseUrl)
    const { tenant } = await createGuestTenant(ctx, {
      addressKey: requestAddressKey(deps, c),
      origin: 'genesis',
    })
    const callback = `${ctx.baseUrl}${TRY_IT_PATH}/${tenant.id}/callback`
    const configuration = { callbackUrls: [callback], pathOf: () => 'callback_urls' }
    await provisionSocialLogin(ctx, tenant, configuration, {
      actor: 'person',
      requestId: c.get('requestId'),
    })
    return redirectTo(c, loginUrl(ctx.baseUrl, tenant.id))
  })

  pageRoute(app, deps, 'GET', `${TRY_IT_PATH}/:tenantId/callback`, async (c) => {
    const tenantId = c.req.param('tenantId') ?? ''
    const accessToken = c.req.query('access_token') ?? ''
    const verification = verifyAccessToken(ctx, { tenantId, accessToken })
    if (verification.outcome !== 'valid') {
      return page(c, triedPage({ error: c.req.query('error') ?? 'none' }, deps.operator))
    }
    // The tokens are in a URL, so the session ends here.
    await logOut(ctx, { tenantId, refreshToken: c.req.query('refresh_token') ?? '' })
    return redirectTo(
      c,
      `${ctx.baseUrl}${TRY_IT_PATH}/result?${signResult(ctx.keyring, verification.user)}`,
    )
  })

  // A page of its own, so that a reload shows the result again and doesn't send the tokens again.
  pageRoute(app, deps, 'GET', `${TRY_IT_PATH}/result`, async (c) => {
    const user = readResult(ctx.keyring, new URL(c.req.url).searchParams)
    return page(c, triedPage(user === null ? { error: 'none' } : { user }, deps.operator))
  })
}

export const TRY_IT_PATH = '/try'

/** Shown on the front page in development mode. */
export const tryItButton = (): Html =>
  buttonForm({ action: TRY_IT_PATH, csrf: undefined, label: 'Try a sign-in now', variant: 'main' })

/** Shows the result of verify, and never a token. */
const triedPage = (
  tried: { readonly user: VerifiedUser } | { readonly error: string },
  operator: Operator,
): Html =>
  layout({
    kind: 'card',
    operator,
    title: 'user' in tried ? 'It works' : 'Not signed in',
    body:
      'user' in tried
        ? html`
            <h1>It works</h1>
            ${personRow(tried.user)}
            <p>This page stands in for your app. It received two tokens and verified them:</p>
            ${codeBlock('The response of verify', JSON.stringify({ valid: true, user: tried.user }, null, 2))}
            <p>Your app makes the same three calls; <a href="/docs/quick-start#by-hand-with-curl">the quick start</a> shows them.</p>
            <p class="actions"><a class="button" href="/docs/quick-start">Use it in your app</a></p>
            ${buttonForm({ action: TRY_IT_PATH, csrf: undefined, label: 'Try another sign-in', variant: 'quiet' })}
          `
        : html`
            <h1>Not signed in</h1>
            <p>The callback received <code>error=${tried.error}</code>. Your app would receive the same and offer to try again.</p>
            ${tryItButton()}
          `,
  })

const PURPOSE = 'try-it-result'

/** The result of a trial sign-in as a query. The MAC prevents a link that shows an invented user. */
function signResult(keyring: Keyring, user: VerifiedUser): URLSearchParams {
  const text = JSON.stringify(user)
  return new URLSearchParams({ user: text, mac: keyring.mac(PURPOSE, text) })
}

/** null: not signed by this service. */
function readResult(keyring: Keyring, query: URLSearchParams): VerifiedUser | null {
  const text = query.get('user') ?? ''
  const isSigned = constantTimeEqual(keyring.mac(PURPOSE, text), query.get('mac') ?? '')
  return isSigned ? (JSON.parse(text) as VerifiedUser) : null
}
