import { createHash } from 'node:crypto'
import {
  isProviderName,
  NAMED_PROVIDERS,
  PROVIDERS,
  type ProviderName,
  providerKind,
} from '@gatehouse-auth/contract'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { deviceFrom } from '../../domain/accounts/account.ts'
import { ME_PATH } from '../../domain/accounts/person.ts'
import { ApiError } from '../../domain/api-error.ts'
import { stateLanguage } from '../../domain/login/request-secrets.ts'
import { callbackPath } from '../../domain/providers/provider.ts'
import { returnFromProvider } from '../../operations/login/return-from-provider.ts'
import { loginBrowserCookie } from '../callers/cookies.ts'
import { accountCookie, meCookie, setAccountCookie, setMeCookie } from '../callers/sessions.ts'
import { translatedRoute } from '../console/form.ts'
import { testedLocation } from '../console/settings/providers.ts'
import type { App, Call, HttpDependencies } from '../dependencies.ts'
import { inLanguage, type Language } from '../pages/languages/language.ts'
import { readForm } from '../request/body.ts'
import { languageOf } from '../request/language.ts'
import { pageProblem } from '../responses.ts'
import { redirectTo } from './redirect-to.ts'

const PATH = '/auth/:provider/callback'
/** Providers that owners chose have a path for each tenant (`callbackPath`). */
const TENANT_PATH = '/auth/:provider/callback/:tenantId'

/** Of providers that post their response. */
const FORM_PATHS = NAMED_PROVIDERS.filter((name) => PROVIDERS[name].formPost).map((name) =>
  callbackPath(name, ''),
)

/** The redirect URIs that are registered with providers. Google's is one for all tenants and for account sign-ins. */
export function callbackRoutes(app: App, deps: HttpDependencies): void {
  const languageFor = (c: Call) => languageOf(c, stateLanguage(c.req.query('state')))
  for (const route of [PATH, TENANT_PATH]) {
    translatedRoute(
      app,
      deps,
      'GET',
      route,
      (c, language) => handleResponse(deps, c, language),
      languageFor,
    )
  }

  for (const path of FORM_PATHS) {
    app.post(path, async (c) => {
      c.set('route', PATH)
      try {
        return redirectTo(c, await receiveForm(deps, c, path))
      } catch (error) {
        return pageProblem(deps, c, error, await languageOf(c))
      }
    })
  }
}

async function handleResponse(
  { ctx }: HttpDependencies,
  c: Call,
  language: Language,
): Promise<Response> {
  const path = requirePath(c)
  const { search, searchParams } = new URL(c.req.url)
  const state = searchParams.get('state') ?? ''
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
  if (
    isProviderName(provider) &&
    (providerKind(provider) === 'oidc') === (tenantId !== undefined)
  ) {
    return callbackPath(provider as ProviderName, tenantId ?? '')
  }
  throw new ApiError(
    'providerNotFound',
    'There is no such identity provider. Start at the login page of the app.',
  )
}

/**
 * Apple posts its response from a page of its own, and a browser sends no `SameSite=Lax` cookie with that. The redirect makes it
 * a navigation that has the cookies. Nothing is decided here, so a forged form has no more effect than a forged link.
 */
async function receiveForm({ ctx }: HttpDependencies, c: Call, path: string): Promise<string> {
  const form = await readForm(c)
  const target = new URL(path, ctx.baseUrl)
  for (const field of ['code', 'state', 'error']) {
    const value = form.get(field)
    if (value !== null) {
      target.searchParams.set(field, value)
    }
  }
  const name = readAppleUser(form.get('user'))
  const state = form.get('state') ?? ''
  if (name !== null) {
    setAppleName(c, ctx.baseUrl, { path: target.pathname, state, name })
  }
  return target.href
}

/** The name in Apple's field `user`: JSON, unsigned, and sent with the first sign-in only. */
function readAppleUser(user: string | null): string | null {
  if (user === null) {
    return null
  }
  try {
    const { name } = JSON.parse(user) as { name?: { firstName?: unknown; lastName?: unknown } }
    const parts = [name?.firstName, name?.lastName].filter(
      (part) => typeof part === 'string' && part.trim() !== '',
    )
    return parts.length === 0 ? null : parts.join(' ')
  } catch {
    return null
  }
}

interface AppleName {
  readonly path: string
  readonly state: string
  readonly name: string
}

/** From the form that Apple posts to the redirect that follows it. */
const SECONDS = 60
const NAME_MAX_CHARACTERS = 200

/**
 * Keeps the name that Apple posts once, beside the response. In a cookie of the callback's path, because a URL would be in
 * the history of the browser and in logs.
 */
function setAppleName(c: Call, baseUrl: string, { path, state, name }: AppleName): void {
  const value = `${tagOf(state)}.${Buffer.from(name.slice(0, NAME_MAX_CHARACTERS)).toString('base64url')}`
  const secure = baseUrl.startsWith('https:')
  setCookie(c, nameOf(baseUrl), value, {
    httpOnly: true,
    sameSite: 'Lax',
    path,
    maxAge: SECONDS,
    secure,
  })
}

/** The name that came with the response of this state; deletes the cookie. */
function takeAppleName(
  c: Call,
  baseUrl: string,
  { path, state }: Omit<AppleName, 'name'>,
): string | null {
  const value = getCookie(c, nameOf(baseUrl))
  if (value === undefined) {
    return null
  }
  deleteCookie(c, nameOf(baseUrl), { path, secure: baseUrl.startsWith('https:') })
  const [tag, name = ''] = value.split('.')
  return tag === tagOf(state) ? Buffer.from(name, 'base64url').toString() : null
}

const nameOf = (baseUrl: string): string =>
  `${baseUrl.startsWith('https:') ? '__Secure-' : ''}gatehouse_apple_name`

/** With a hash of the state, so that a form of another site cannot name the user of the next sign-in. */
const tagOf = (state: string): string =>
  createHash('sha256').update(state).digest('base64url').slice(0, 22)
