import {
  HEADERS,
  LINK_SECONDS,
  linkIdentity as linkIdentityEndpoint,
} from '@gatehouse-auth/contract'
import { ApiError } from '../../domain/api-error.ts'
import type { Brand } from '../../domain/brand/brand.ts'
import { placeOf } from '../../domain/callbacks/host.ts'
import { defined } from '../../domain/defined.ts'
import type { TenantId } from '../../domain/ids.ts'
import { readPreselectedUser } from '../../domain/login/preselected-user.ts'
import { consentToken } from '../../domain/login/request-secrets.ts'
import { is256Bits } from '../../domain/tokens/secret.ts'
import { chooseAnotherAccount, readConsent } from '../../operations/login/consent.ts'
import { decideConsent } from '../../operations/login/decide-consent.ts'
import { linkIdentity, openLink } from '../../operations/login/link.ts'
import { requestAddressKey } from '../callers/author.ts'
import { loginBrowserCookie } from '../callers/cookies.ts'
import { isPrefetch, requireSameOrigin } from '../callers/same-origin.ts'
import { translatedRoute } from '../console/form.ts'
import type { App, Call, HttpDependencies } from '../dependencies.ts'
import { logoPath } from '../logo.ts'
import { mount } from '../mount-endpoint.ts'
import { inLanguage, type Language } from '../pages/languages/language.ts'
import { readForm } from '../request/body.ts'
import { page } from '../responses.ts'
import { type ConsentBrand, consentPage, linkPage, SHOWN_FIELD } from './consent-page.ts'
import { redirectTo } from './redirect-to.ts'

const PATH = '/auth/consent/:attemptId'

export function consentRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  translatedRoute(app, deps, 'GET', PATH, async (c, language) => {
    const decided = await decideAsTest(deps, c)
    return decided === null ? renderConsent(deps, c, language) : redirectTo(c, decided)
  })

  translatedRoute(app, deps, 'POST', PATH, async (c, language) => {
    requireSameOrigin(c, ctx.baseUrl)
    const form = await readForm(c)
    const decision = form.get('decision')
    const pressed = {
      attemptId: c.req.param('attemptId') ?? '',
      browser: loginBrowserCookie(c, ctx.baseUrl),
      csrf: form.get('csrf') ?? '',
    }
    try {
      if (decision === 'other') {
        const addressKey = requestAddressKey(deps, c)
        const uiLocales = c.req.query('ui_locales')
        const location = await chooseAnotherAccount(ctx, { ...pressed, addressKey, uiLocales })
        return redirectTo(c, location.href)
      }
      if (decision !== 'allow' && decision !== 'deny') {
        throw new ApiError('invalidRequest', 'Press Continue or Cancel.')
      }
      const location = await decideConsent(ctx, {
        ...pressed,
        allow: decision === 'allow',
        shown: shownIn(form),
        requestId: c.get('requestId'),
      })
      return redirectTo(c, location)
    } catch (error) {
      if (!isBusy(error)) {
        throw error
      }
      const until = ctx.now() + error.retryAfterSeconds * 1_000
      return c.redirect(inLanguage(language, `${c.req.path}?${UNTIL}=${until}`), 303)
    }
  })
}

const LINK_PATH = '/auth/link/:token'

/** The links with which users add an identity. */
export function linkRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mount(app, deps, linkIdentityEndpoint, async ({ params, body }) => {
    await deps.stallDetector.caughtUp()
    const { access_token: accessToken, provider, redirect_uri: redirectUri } = body
    const token = await linkIdentity(ctx, { ...params, accessToken, provider, redirectUri })
    return {
      link_url: `${ctx.baseUrl}${LINK_PATH.replace(':token', token)}`,
      expires_in: LINK_SECONDS,
    }
  })

  translatedRoute(app, deps, 'GET', LINK_PATH, async (c) => {
    if (isPrefetch(c)) {
      return c.req.method === 'HEAD' ? c.body(null, 204) : c.body(null, 503, { 'Retry-After': '1' })
    }
    const browser = loginBrowserCookie(c, ctx.baseUrl)
    const opened = {
      token: c.req.param('token') ?? '',
      browser,
      uiLocales: c.req.query('ui_locales'),
    }
    return redirectTo(
      c,
      (await openLink(ctx, { ...opened, addressKey: requestAddressKey(deps, c) })).href,
    )
  })
}

/**
 * The redirect of a login whose user a test has chosen by cookie: it needs no press of a button. null: show the page. Only
 * with the development Google, because the decision of a user must come from our page (decision 15).
 */
async function decideAsTest(
  { ctx, development }: HttpDependencies,
  c: Call,
): Promise<string | null> {
  const preselected = development ? readPreselectedUser(c.req.header('cookie')) : null
  if (preselected === null || preselected === 'invalid') {
    return null
  }
  const attemptId = c.req.param('attemptId') ?? ''
  const browser = loginBrowserCookie(c, ctx.baseUrl)
  const csrf = consentToken(ctx.keyring, attemptId, browser ?? '')
  return decideConsent(ctx, {
    attemptId,
    browser,
    csrf,
    allow: preselected.outcome !== 'deny',
    shown: null,
    requestId: c.get('requestId'),
  })
}

/** What the page showed of the app, if it said that Continue is remembered. */
const shownIn = (form: URLSearchParams): string | null => {
  const shown = form.get(SHOWN_FIELD)
  return shown !== null && is256Bits(shown) ? shown : null
}

/** The per-minute limit is reached. The login transaction is kept, so the same page says when to try again. */
const isBusy = (error: unknown): error is ApiError & { retryAfterSeconds: number } =>
  error instanceof ApiError && error.code === 'rateLimited' && error.details?.window === 'minute'

/** When the minute of the limit ends, in the query of the page. */
const UNTIL = 'until'

/** undefined: there is no limit to wait for. */
function waitSeconds(c: Call, now: number): number | undefined {
  const seconds = Math.ceil((Number(c.req.query(UNTIL)) - now) / 1_000)
  return seconds > 0 && seconds <= 60 ? seconds : undefined
}

async function renderConsent(
  { ctx, operator, providerOrigins }: HttpDependencies,
  c: Call,
  language: Language,
): Promise<Response> {
  const retryAfterSeconds = waitSeconds(c, ctx.now())
  if (retryAfterSeconds !== undefined) {
    c.header(HEADERS.retryAfter, String(retryAfterSeconds))
  }
  const attemptId = c.req.param('attemptId') ?? ''
  const { attempt, csrf, provider, app, account, remembered } = await readConsent(ctx, {
    attemptId,
    browser: loginBrowserCookie(c, ctx.baseUrl),
  })
  const callback = new URL(attempt.redirectUri)
  const html = (account === null ? consentPage : linkPage)({
    action: inLanguage(language, `/auth/consent/${attempt.id}`),
    csrf,
    app: {
      host: placeOf(callback),
      verified: app.verified,
      brand: brandView(attempt.tenantId, app.brand),
    },
    person: { email: attempt.profile.email, name: attempt.profile.name },
    account,
    provider,
    temporary: app.temporary,
    remembered,
    operator,
    language,
    ...defined({ retryAfterSeconds }),
  })
  return page(c, html, retryAfterSeconds === undefined ? 200 : 429, [
    ...new Set([formActionOf(callback), ...providerOrigins]),
  ])
}

const brandView = (tenantId: TenantId, brand: Brand | null): ConsentBrand | null =>
  brand === null
    ? null
    : { ...brand, logo: brand.logo === null ? null : logoPath(tenantId, brand.logo) }

/**
 * The `form-action` source for the app's callback and for the redirects that follow it. It is a whole scheme: a local app may
 * redirect from one port to another over http, and a policy cannot name the host `[::1]`.
 */
const formActionOf = (app: URL): string => app.protocol
