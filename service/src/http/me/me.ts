import { ApiError } from '../../domain/api-error.ts'
import { fixedIssuer } from '../../domain/providers/provider.ts'
import { personProvider, startMeSignIn } from '../../operations/accounts/sign-in.ts'
import { forgetConsent, listApps, removeOwnIdentity } from '../../operations/me/apps.ts'
import { type RemovalChange, requestRemoval, withdrawRemoval } from '../../operations/me/removals.ts'
import { endMeSession, signOutOfApp, signOutOfEveryApp } from '../../operations/me/session.ts'
import { personAuthor, requestAddressKey } from '../callers/author.ts'
import { loginBrowserCookie, setLoginBrowserCookie } from '../callers/cookies.ts'
import { requireSameOrigin } from '../callers/same-origin.ts'
import { deleteMeCookie, type SignedInPerson, signedInPerson } from '../callers/sessions.ts'
import { translatedRoute } from '../console/form.ts'
import type { App, Call, HttpDependencies } from '../dependencies.ts'
import { redirectTo } from '../edge/redirect-to.ts'
import { inLanguage, type Language } from '../pages/languages/language.ts'
import type { Messages } from '../pages/languages/messages.ts'
import { isPageProvider, type PageProvider } from '../pages/provider-button.ts'
import { readForm } from '../request/body.ts'
import { page } from '../responses.ts'
import { mePage, meSignInPage } from './me-page.ts'
import { mePaths } from './paths.ts'

export function meRoutes(app: App, deps: HttpDependencies): void {
  const { ctx, operator } = deps

  translatedRoute(app, deps, 'GET', mePaths.home, async (c, language) => {
    const person = await signedInPerson(ctx, c)
    const shown = { operator, language, ...statusMessage(c, language) }
    const providers = ctx.providers.sharedNames()
    if (person === null) {
      return page(c, meSignInPage({ ...shown, providers }), 200, deps.providerOrigins)
    }
    const { session, csrf } = person
    const number = pageNumber(c)
    const listed = await listApps(ctx, session, number)
    return page(
      c,
      mePage({
        ...shown,
        now: ctx.now(),
        csrf,
        person: session,
        provider: providerOfPerson(session.issuer),
        providers,
        page: number,
        ...listed,
      }),
    )
  })

  translatedRoute(app, deps, 'POST', mePaths.signIn, async (c) => {
    requireSameOrigin(c, ctx.baseUrl)
    const provider = personProvider(ctx, (await readForm(c)).get('provider') ?? '')
    if (provider === null) throw new ApiError('invalidRequest', 'Choose one of the buttons.')
    const { location, browser } = await startMeSignIn(ctx, {
      provider,
      browser: loginBrowserCookie(c, ctx.baseUrl),
      addressKey: requestAddressKey(deps, c),
      uiLocales: c.req.query('ui_locales'),
    })
    setLoginBrowserCookie(c, ctx.baseUrl, browser)
    return redirectTo(c, location.href)
  })

  personPost(app, deps, mePaths.leave, async (c, { person }) => {
    await endMeSession(ctx, person.secret)
    deleteMeCookie(c, ctx.baseUrl)
    return 'left'
  })

  personPost(app, deps, mePaths.signOut, async (c, { person, form }) => {
    await signOutOfApp(ctx, person.session, form.get('app') ?? '', personAuthor(c))
    return 'signed-out'
  })

  personPost(app, deps, mePaths.forgetConsent, async (c, { person, form }) => {
    await forgetConsent(ctx, person.session, form.get('app') ?? '', personAuthor(c))
    return 'forgotten'
  })

  personPost(app, deps, mePaths.removeIdentity, async (c, { person, form }) => {
    const [tenantId = '', provider = '', subject = ''] = ['app', 'provider', 'subject'].map(
      (name) => form.get(name) ?? '',
    )
    await removeOwnIdentity(ctx, person.session, { tenantId, provider, subject }, personAuthor(c))
    return 'identity-removed'
  })

  personPost(app, deps, mePaths.signOutEverywhere, async (c, { person }) => {
    await signOutOfEveryApp(ctx, person.session, personAuthor(c))
    return 'signed-out-everywhere'
  })

  personPost(app, deps, mePaths.remove, (c, post) => requestRemoval(ctx, removalChange(deps, c, post)))

  personPost(app, deps, mePaths.keep, async (c, post) => {
    await withdrawRemoval(ctx, removalChange(deps, c, post))
    return 'kept'
  })
}

/** By the query parameter `done`. Other values show nothing, so a link can't put words on the page. */
function statusMessage(c: Call, { messages }: Language): { statusMessage?: string } {
  const done = c.req.query('done') ?? ''
  const texts: Readonly<Record<string, string>> = messages.me.done
  const text = Object.hasOwn(texts, done) ? texts[done] : undefined
  return text === undefined ? {} : { statusMessage: text }
}

interface PersonPost {
  readonly person: SignedInPerson
  readonly form: URLSearchParams
}

type Done = keyof Messages['me']['done']

/**
 * Registers the POST of a button. A request from another origin, or without the CSRF token of this session, is rejected.
 * Afterwards the page shows the message that `handle` returned the name of.
 */
function personPost(
  app: App,
  deps: HttpDependencies,
  path: string,
  handle: (c: Call, post: PersonPost) => Promise<Done>,
): void {
  translatedRoute(app, deps, 'POST', path, async (c, language) => {
    requireSameOrigin(c, deps.ctx.baseUrl)
    const form = await readForm(c)
    const person = await signedInPerson(deps.ctx, c)
    if (person === null) return c.redirect(inLanguage(language, mePaths.home), 303)
    person.requireCsrf(form.get('csrf') ?? '')
    return c.redirect(inLanguage(language, `${mePaths.home}?done=${await handle(c, { person, form })}`), 303)
  })
}

const removalChange = (deps: HttpDependencies, c: Call, { person, form }: PersonPost): RemovalChange => ({
  person: person.session,
  tenantId: form.get('app') ?? '',
  author: personAuthor(c),
  addressKey: requestAddressKey(deps, c),
})

/** Only the providers of `sharedNames` sign people in here, and only Google's issuer is a setting. */
const providerOfPerson = (issuer: string): PageProvider => {
  const fixed = fixedIssuer(issuer)
  return fixed !== null && isPageProvider(fixed) ? fixed : 'google'
}

/** `?page=` counts from 1. */
const pageNumber = (c: Call): number => {
  const value = c.req.query('page') ?? ''
  return /^[1-9]\d{0,5}$/.test(value) ? Number(value) - 1 : 0
}
