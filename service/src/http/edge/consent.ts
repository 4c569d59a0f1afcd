import { ApiError } from '../../domain/api-error.ts'
import { decideConsent } from '../../operations/login/decide-consent.ts'
import { readConsent } from '../../operations/login/read-consent.ts'
import { loginBrowserCookie } from '../callers/login-browser-cookie.ts'
import { requireSameOrigin } from '../callers/same-origin.ts'
import type { App, Call, HttpDependencies } from '../dependencies.ts'
import { problemOf } from '../problem.ts'
import { readForm } from '../request/body.ts'
import { page, pageProblem } from '../responses.ts'
import { consentPage } from './consent-page.ts'
import { redirectTo } from './redirect-to.ts'

const PATH = '/auth/consent/:attemptId'

export function consentRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  app.get(PATH, async (c) => {
    c.set('route', PATH)
    try {
      return await askForConsent(deps, c)
    } catch (error) {
      return pageProblem(deps, c, error)
    }
  })

  app.post(PATH, async (c) => {
    c.set('route', PATH)
    try {
      requireSameOrigin(c, ctx.baseUrl)
      const form = await readForm(c)
      const decision = form.get('decision')
      if (decision !== 'allow' && decision !== 'deny') {
        throw new ApiError('invalidRequest', 'Press Continue or Cancel.')
      }
      const location = await decideConsent(ctx, {
        attemptId: c.req.param('attemptId'),
        browser: loginBrowserCookie(c, ctx.baseUrl),
        csrf: form.get('csrf') ?? '',
        allow: decision === 'allow',
        client: c.req.header('user-agent') ?? '',
      })
      return redirectTo(c, location)
    } catch (error) {
      return isBusy(error) ? await askAgain(deps, c, error) : pageProblem(deps, c, error)
    }
  })
}

/** This minute is full: the sign-in is not lost, so the same page says when to press again. */
const isBusy = (error: unknown): error is ApiError & { retryAfterSeconds: number } =>
  error instanceof ApiError && error.code === 'rateLimited' && error.details?.window === 'minute'

async function askAgain(
  deps: HttpDependencies,
  c: Call,
  busy: ApiError & { retryAfterSeconds: number },
): Promise<Response> {
  for (const [name, value] of Object.entries(problemOf(busy).headers)) c.header(name, value)
  try {
    return await askForConsent(deps, c, busy.retryAfterSeconds)
  } catch (error) {
    return pageProblem(deps, c, error)
  }
}

async function askForConsent({ ctx }: HttpDependencies, c: Call, retryAfterSeconds?: number): Promise<Response> {
  const attemptId = c.req.param('attemptId') ?? ''
  const { attempt, csrf, temporary } = await readConsent(ctx, {
    attemptId,
    browser: loginBrowserCookie(c, ctx.baseUrl),
  })
  const app = new URL(attempt.redirectUri)
  const html = consentPage({
    action: `/auth/consent/${attempt.id}`,
    csrf,
    appHost: app.host,
    person: { email: attempt.profile.email, name: attempt.profile.name },
    temporary,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  })
  return page(c, html, retryAfterSeconds === undefined ? 200 : 429, [onward(app)])
}

/**
 * Where the buttons may lead: to the app's callback, and to wherever that redirects. A developer's app may do so from
 * one port of their machine to another, over plain http; and `[::1]` cannot be written as a host in a policy.
 */
const onward = (app: URL): string => (app.protocol === 'http:' ? 'http:' : 'https:')
