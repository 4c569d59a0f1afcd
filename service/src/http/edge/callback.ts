import { isProviderName, type ProviderName, providerKind } from '@gatehouse/contract'
import { deviceFrom } from '../../domain/accounts/account.ts'
import { ME_PATH } from '../../domain/accounts/person.ts'
import { ApiError } from '../../domain/api-error.ts'
import { stateLanguage } from '../../domain/login/request-secrets.ts'
import { callbackPath } from '../../domain/providers/provider.ts'
import { returnFromProvider } from '../../operations/login/return-from-provider.ts'
import { testedLocation } from '../account/projects/settings/providers.ts'
import { accountCookie, setAccountCookie } from '../callers/account-session.ts'
import { loginBrowserCookie } from '../callers/login-browser-cookie.ts'
import { meCookie, setMeCookie } from '../callers/me-session.ts'
import type { App, Call, HttpDependencies } from '../dependencies.ts'
import { inLanguage } from '../pages/languages/language.ts'
import { readForm } from '../request/body.ts'
import { languageOf } from '../request/language.ts'
import { pageProblem } from '../responses.ts'
import { readAppleUser, setAppleName, takeAppleName } from './apple-name-cookie.ts'
import { redirectTo } from './redirect-to.ts'

const PATH = '/auth/:provider/callback'
/** Of providers that owners chose: each has a path of its own (`callbackPath`). */
const TENANT_PATH = '/auth/:provider/callback/:tenantId'

const APPLE_PATH = callbackPath('apple', '')

/** The redirect URIs that are registered with providers. Google's is one for all tenants and for account sign-ins. */
export function callbackRoutes(app: App, deps: HttpDependencies): void {
  for (const route of [PATH, TENANT_PATH]) {
    app.get(route, async (c) => {
      c.set('route', route)
      try {
        return await handleResponse(deps, c)
      } catch (error) {
        return pageProblem(deps, c, error, await languageOf(c, stateLanguage(c.req.query('state'))))
      }
    })
  }

  app.post(APPLE_PATH, async (c) => {
    c.set('route', PATH)
    try {
      return redirectTo(c, await receiveForm(deps, c))
    } catch (error) {
      return pageProblem(deps, c, error, await languageOf(c))
    }
  })
}

async function handleResponse({ ctx }: HttpDependencies, c: Call): Promise<Response> {
  const path = requirePath(c)
  const { search, searchParams } = new URL(c.req.url)
  const state = searchParams.get('state') ?? ''
  const language = await languageOf(c, stateLanguage(state))
  const next = (to: string): string => ctx.baseUrl + inLanguage(language, to)
  const returned = await returnFromProvider(ctx, {
    callbackPath: path,
    search,
    displayName: takeAppleName(c, ctx.baseUrl, { path, state }),
    browser: loginBrowserCookie(c, ctx.baseUrl),
    accountSession: accountCookie(c, ctx.baseUrl),
    meSession: meCookie(c, ctx.baseUrl),
    device: deviceFrom(c.req.header('User-Agent')),
    requestId: c.get('requestId'),
  })
  switch (returned.next) {
    case 'app':
      return redirectTo(c, returned.location)
    case 'consent':
      return redirectTo(c, next(`/auth/consent/${returned.attemptId}`))
    case 'account':
      setAccountCookie(c, ctx.baseUrl, returned.signedIn.session)
      return redirectTo(c, ctx.baseUrl + returned.signedIn.next)
    case 'me':
      setMeCookie(c, ctx.baseUrl, returned.session)
      return redirectTo(c, next(ME_PATH))
    case 'tested':
      return redirectTo(c, ctx.baseUrl + testedLocation(ctx, returned.tested))
  }
}

/** The path of this request, if there can be a provider there. */
function requirePath(c: Call): string {
  const { provider = '', tenantId } = c.req.param() as { provider?: string; tenantId?: string }
  if (isProviderName(provider) && (providerKind(provider) === 'oidc') === (tenantId !== undefined)) {
    return callbackPath(provider as ProviderName, tenantId ?? '')
  }
  throw new ApiError('providerNotFound', 'There is no such identity provider. Start at the login page of the app.')
}

/**
 * Apple posts its response from its own page, and a browser sends no `SameSite=Lax` cookie with that. The redirect makes it
 * a navigation that has the cookies. Nothing is decided here, so a forged form has no more effect than a forged link.
 */
async function receiveForm({ ctx }: HttpDependencies, c: Call): Promise<string> {
  const form = await readForm(c)
  const target = new URL(APPLE_PATH, ctx.baseUrl)
  for (const field of ['code', 'state', 'error']) {
    const value = form.get(field)
    if (value !== null) target.searchParams.set(field, value)
  }
  const name = readAppleUser(form.get('user'))
  const state = form.get('state') ?? ''
  if (name !== null) setAppleName(c, ctx.baseUrl, { path: target.pathname, state, name })
  return target.href
}
