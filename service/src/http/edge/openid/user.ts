import { OAuthError } from '../../../domain/oauth/oauth-error.ts'
import { subjectOf } from '../../../domain/tokens/id-token.ts'
import { logOutByHint } from '../../../operations/issuer/log-out.ts'
import {
  requireRunning,
  verifyAccessToken,
} from '../../../operations/sessions/verify-access-token.ts'
import { parseBearer } from '../../callers/bearer.ts'
import type { App, Call, HttpDependencies } from '../../dependencies.ts'
import type { Language } from '../../pages/languages/language.ts'
import { layout } from '../../pages/layout.ts'
import { type Html, html } from '../../pages/markup.ts'
import type { Operator } from '../../pages/operator.ts'
import { readForm } from '../../request/body.ts'
import { languageOf } from '../../request/language.ts'
import { page, pageProblem, wantsPage } from '../../responses.ts'
import { redirectTo } from '../redirect-to.ts'
import { browserAddressProblem, openIdProblem } from './errors.ts'

const USERINFO_PATH = '/edge/auth/:tenantId/oauth/userinfo'
const LOGOUT_PATH = '/edge/auth/:tenantId/oauth/logout'

/** Who the user is, and the end of their session. */
export function userRoutes(app: App, deps: HttpDependencies): void {
  app.get(USERINFO_PATH, (c) => userInfo(deps, c, null))
  app.post(USERINFO_PATH, (c) => userInfo(deps, c, () => readForm(c)))
  app.get(LOGOUT_PATH, (c) => logOut(deps, c, async () => new URL(c.req.url).searchParams))
  app.post(LOGOUT_PATH, (c) => logOut(deps, c, () => readForm(c)))
}

/** OpenID Connect Core, section 5.3. No database, as verify. */
async function userInfo(
  deps: HttpDependencies,
  c: Call,
  form: (() => Promise<URLSearchParams>) | null,
): Promise<Response> {
  c.set('route', USERINFO_PATH)
  try {
    const accessToken = await readAccessToken(c, form)
    if (accessToken === null) {
      // Without a credential, RFC 6750, section 3.1 wants no error code in the header.
      c.header('WWW-Authenticate', 'Bearer realm="gatehouse"')
      return openIdProblem(
        deps,
        c,
        invalidToken('Send the access token as Authorization: Bearer <…>.'),
      )
    }
    await deps.stallDetector.caughtUp()
    const tenantId = c.req.param('tenantId') ?? ''
    const verification = verifyAccessToken(deps.ctx, { tenantId, accessToken })
    requireRunning(verification)
    if (verification.outcome !== 'valid') {
      c.header('WWW-Authenticate', 'Bearer realm="gatehouse", error="invalid_token"')
      return openIdProblem(
        deps,
        c,
        invalidToken('The access token is unknown, expired or revoked.'),
      )
    }

    const { id, email, name, picture } = verification.user
    return c.json({
      sub: subjectOf(tenantId, id),
      email,
      // No other address is ever stored (domain/login/profile.ts).
      email_verified: true,
      ...(name === null ? {} : { name }),
      ...(picture === null ? {} : { picture }),
    })
  } catch (error) {
    return openIdProblem(deps, c, error)
  }
}

/** From the header, or from the form of a POST (RFC 6750, sections 2.1 and 2.2); never from the URL, which ends up in logs. */
async function readAccessToken(
  c: Call,
  form: (() => Promise<URLSearchParams>) | null,
): Promise<string | null> {
  const bearer = parseBearer(c.req.header('authorization') ?? '')
  if (bearer.ok) {
    return bearer.token
  }
  const hasForm = form !== null && c.req.header('content-type') !== undefined
  return hasForm ? (await form()).get('access_token') : null
}

const invalidToken = (problem: string): OAuthError => new OAuthError('invalid_token', problem)

/** OpenID Connect RP-Initiated Logout, section 2: by GET and by POST. */
async function logOut(
  deps: HttpDependencies,
  c: Call,
  readParameters: () => Promise<URLSearchParams>,
): Promise<Response> {
  c.set('route', LOGOUT_PATH)
  try {
    const sent = await readParameters()
    const value = (name: string): string | undefined => sent.get(name) || undefined
    const { ended, location } = await logOutByHint(deps.ctx, {
      tenantId: c.req.param('tenantId') ?? '',
      idTokenHint: value('id_token_hint'),
      clientId: value('client_id'),
      postLogoutRedirectUri: value('post_logout_redirect_uri'),
      state: value('state'),
    })
    return location === null
      ? page(c, loggedOutPage(deps.operator, await languageOf(c), ended))
      : redirectTo(c, location)
  } catch (error) {
    return wantsPage(c)
      ? pageProblem(deps, c, error, await languageOf(c))
      : browserAddressProblem(deps, c, error)
  }
}

function loggedOutPage(operator: Operator, language: Language, ended: boolean): Html {
  const { errors, me } = language.messages
  const title = ended ? me.done['signed-out'] : errors.title.invalidRequest
  return layout({
    kind: 'card',
    operator,
    language,
    title,
    body: html`<h1>${title}</h1>${!ended && html`<p>${errors.message.other}</p>`}`,
  })
}
