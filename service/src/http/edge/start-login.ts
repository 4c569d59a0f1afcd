import * as endpoints from '@gatehouse-auth/contract'
import {
  isProviderName,
  type ProviderName,
  providerLoginUrl,
  startProviderLogin,
} from '@gatehouse-auth/contract'
import { ApiError, invalidRequest } from '../../domain/api-error.ts'
import { recordInvalidStart } from '../../operations/login/refusals.ts'
import { findAppAddress, startLogin } from '../../operations/login/start-login.ts'
import { listLoginProviders } from '../../operations/providers/login-provider.ts'
import { requestAddressKey } from '../callers/author.ts'
import { loginBrowserCookie, setLoginBrowserCookie } from '../callers/cookies.ts'
import { isPrefetch } from '../callers/same-origin.ts'
import type { App, Call, HttpDependencies } from '../dependencies.ts'
import { setRateHeaders } from '../headers.ts'
import { mount, readInput } from '../mount-endpoint.ts'
import { languageOf } from '../request/language.ts'
import { pageProblem, wantsPage } from '../responses.ts'

/** Paths beside the providers' that take POST. */
const POSTS: ReadonlySet<string> = new Set([
  'token',
  'verify',
  'refresh',
  'logout',
  'id-token',
  'link',
])

export function startLoginRoutes(app: App, deps: HttpDependencies): void {
  app.get(endpoints.startLogin.path, (c) => start(deps, c, endpoints.startLogin, 'google'))
  app.get(startProviderLogin.path, (c, next) => {
    const provider = c.req.param('provider')
    return POSTS.has(provider) ? next() : start(deps, c, startProviderLogin, provider)
  })
}

async function start(
  deps: HttpDependencies,
  c: Call,
  endpoint: typeof endpoints.startLogin | typeof startProviderLogin,
  name: string,
): Promise<Response> {
  const { ctx } = deps
  c.set('route', endpoint.path)
  try {
    const provider = requireProviderName(name)
    if (isPrefetch(c)) {
      await ctx.directory.requireProvisioned(c.req.param('tenantId') ?? '')
      // A link checker (HEAD) gets success; a prefetching browser discards the 503 and requests again on a click.
      return c.req.method === 'HEAD' ? c.body(null, 204) : c.body(null, 503, { 'Retry-After': '1' })
    }
    const { params, query } = await readInput(c, endpoint)
    const started = await startLogin(ctx, {
      tenantId: params.tenantId,
      provider,
      redirectUri: query.redirect_uri,
      returnTo: query.return_to,
      challenge: readChallenge(query),
      openId: null,
      invitation: query.invitation,
      hints: { loginHint: query.login_hint, prompt: query.prompt },
      uiLocales: query.ui_locales,
      browser: loginBrowserCookie(c, ctx.baseUrl),
      addressKey: requestAddressKey(deps, c),
    })
    setLoginBrowserCookie(c, ctx.baseUrl, started.browser)
    setRateHeaders(c, started.rate, ctx.now())
    return c.body(null, 302, { Location: started.location.href })
  } catch (error) {
    await recordInvalidStart(ctx, c.req.param('tenantId') ?? '', error)
    const app = wantsPage(c)
      ? await findAppAddress(ctx, c.req.param('tenantId') ?? '', c.req.query('redirect_uri'))
      : null
    return pageProblem(deps, c, error, await languageOf(c), app)
  }
}

function requireProviderName(name: string): ProviderName {
  if (isProviderName(name)) {
    return name
  }
  throw new ApiError(
    'providerNotFound',
    'There is no such identity provider. Start at the login page of the app.',
  )
}

interface ChallengeQuery {
  readonly response_type?: string | undefined
  readonly code_challenge?: string | undefined
  readonly code_challenge_method?: string | undefined
}

/** All three parameters, or none: a login that wants a code must not fall back to tokens in a URL. */
function readChallenge(query: ChallengeQuery): string | null {
  const names = ['response_type', 'code_challenge', 'code_challenge_method'] as const
  const missing = names.filter((name) => query[name] === undefined)
  if (missing.length === names.length) {
    return null
  }
  if (missing.length === 0) {
    return query.code_challenge ?? null
  }
  const problem = 'Send response_type=code, code_challenge and code_challenge_method=S256 together.'
  throw invalidRequest(
    'A login with a one-time code needs all three parameters.',
    missing.map((path) => ({ path, problem })),
  )
}

export function loginProviderRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps
  mount(app, deps, endpoints.listLoginProviders, async ({ params }) => ({
    providers: (await listLoginProviders(ctx, params.tenantId)).map(({ name, displayName }) => ({
      name,
      display_name: displayName,
      login_url: providerLoginUrl(ctx.baseUrl, params.tenantId, name),
    })),
  }))
}
