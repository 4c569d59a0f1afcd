import { issuerOf } from '@gatehouse-auth/contract'
import { placeOf } from '../../../domain/callbacks/host.ts'
import { type SentParameters, sentOnce } from '../../../domain/issuer/openid-request.ts'
import { authorizeOpenId } from '../../../operations/issuer/authorize.ts'
import type { LoginChoice } from '../../../operations/providers/login-provider.ts'
import { requestAddressKey } from '../../callers/author.ts'
import { loginBrowserCookie, setLoginBrowserCookie } from '../../callers/cookies.ts'
import { isPrefetch } from '../../callers/same-origin.ts'
import type { App, Call, HttpDependencies } from '../../dependencies.ts'
import type { Language } from '../../pages/languages/language.ts'
import { layout } from '../../pages/layout.ts'
import { type Html, html } from '../../pages/markup.ts'
import type { Operator } from '../../pages/operator.ts'
import { displayText, HOST_MAX } from '../../pages/text.ts'
import { readForm } from '../../request/body.ts'
import { languageOf } from '../../request/language.ts'
import { page, pageProblem, wantsPage } from '../../responses.ts'
import { redirectTo } from '../redirect-to.ts'
import { browserAddressProblem } from './errors.ts'

const PATH = '/edge/auth/:tenantId/oauth/authorize'

/** OpenID Connect Core, section 3.1.2.1: by GET and by POST. */
export function authorizeRoutes(app: App, deps: HttpDependencies): void {
  app.get(PATH, (c) => answer(deps, c, async () => [...new URL(c.req.url).searchParams]))
  app.post(PATH, (c) => answer(deps, c, async () => [...(await readForm(c))]))
}

async function answer(
  deps: HttpDependencies,
  c: Call,
  readParameters: () => Promise<SentParameters>,
): Promise<Response> {
  const { ctx } = deps
  c.set('route', PATH)
  const tenantId = c.req.param('tenantId') ?? ''
  try {
    if (isPrefetch(c)) {
      await ctx.directory.requireProvisioned(tenantId)
      // A link checker (HEAD) gets success; a prefetching browser discards the 503 and requests again on a click.
      return c.req.method === 'HEAD' ? c.body(null, 204) : c.body(null, 503, { 'Retry-After': '1' })
    }

    const sent = await readParameters()
    const authorized = await authorizeOpenId(ctx, {
      tenantId,
      sent,
      browser: loginBrowserCookie(c, ctx.baseUrl),
      addressKey: requestAddressKey(deps, c),
    })
    switch (authorized.next) {
      case 'provider':
        setLoginBrowserCookie(c, ctx.baseUrl, authorized.started.browser)
        return redirectTo(c, authorized.started.location.href)
      case 'app':
        return redirectTo(c, authorized.location)
      case 'choose': {
        const { choices } = authorized
        const language = await languageOf(c)
        return page(
          c,
          choicePage(deps.operator, language, choiceLinks(deps, tenantId, sent, choices), sent),
        )
      }
    }
  } catch (error) {
    return wantsPage(c)
      ? pageProblem(deps, c, error, await languageOf(c))
      : browserAddressProblem(deps, c, error)
  }
}

interface ChoiceLink {
  readonly name: string
  readonly href: string
}

/** Each link repeats the request and adds the provider. */
function choiceLinks(
  { ctx }: HttpDependencies,
  tenantId: string,
  sent: SentParameters,
  choices: readonly LoginChoice[],
): ChoiceLink[] {
  return choices.map(({ name, displayName }) => {
    const query = new URLSearchParams()
    for (const [key, value] of sent) {
      query.append(key, value)
    }
    query.append('provider', name)
    return {
      name: displayName,
      href: `${issuerOf(ctx.baseUrl, tenantId)}/oauth/authorize?${query}`,
    }
  })
}

/** The providers to choose from. Nothing is stored or counted before the choice. */
function choicePage(
  operator: Operator,
  language: Language,
  links: readonly ChoiceLink[],
  sent: SentParameters,
): Html {
  const { consent, site } = language.messages
  const redirectUri = new URL(sentOnce(sent, 'redirect_uri') ?? '')
  const title = consent.title(displayText(placeOf(redirectUri), HOST_MAX))
  return layout({
    kind: 'card',
    operator,
    language,
    title,
    body: html`
      <h1>${title}</h1>
      ${links.map(({ name, href }) => html`<p class="actions"><a class="button" href="${href}">${site.continueWith(displayText(name))}</a></p>`)}
    `,
  })
}
