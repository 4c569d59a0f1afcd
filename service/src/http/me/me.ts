import { ApiError } from '../../domain/api-error.ts'
import { defined } from '../../domain/defined.ts'
import { fixedIssuer } from '../../domain/providers/provider.ts'
import { forgetConsent, listApps, removeOwnIdentity } from '../../operations/accounts/me-apps.ts'
import {
  endMeSession,
  signOutOfApp,
  signOutOfEveryApp,
} from '../../operations/accounts/me-session.ts'
import {
  type RemovalChange,
  requestRemoval,
  withdrawRemoval,
} from '../../operations/accounts/removals.ts'
import { personProvider, startMeSignIn } from '../../operations/accounts/sign-in.ts'
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
    const listed = await listApps(ctx, session, pageNumber(c))
    const html = mePage({
      ...shown,
      ...listed,
      page: pageNumber(c),
      now: ctx.now(),
      csrf,
      person: session,
      provider: providerOfPerson(session.issuer),
      providers,
    })
    return page(c, html)
  })

  translatedRoute(app, deps, 'POST', mePaths.signIn, async (c) => {
    requireSameOrigin(c, ctx.baseUrl)
    const provider = personProvider(ctx, field(await readForm(c), 'provider'))
    if (provider === null) {
      throw new ApiError('invalidRequest', 'Choose one of the buttons.')
    }
    const { location, browser } = await startMeSignIn(ctx, {
      provider,
      browser: loginBrowserCookie(c, ctx.baseUrl),
      addressKey: requestAddressKey(deps, c),
      uiLocales: c.req.query('ui_locales'),
    })
    setLoginBrowserCookie(c, ctx.baseUrl, browser)
    return redirectTo(c, location.href)
  })

  const actions: Readonly<Record<string, (c: Call, post: PersonPost) => Promise<Done>>> = {
    async [mePaths.leave](c, { person }) {
      await endMeSession(ctx, person.secret)
      deleteMeCookie(c, ctx.baseUrl)
      return 'left'
    },
    async [mePaths.signOut](c, { person, form }) {
      await signOutOfApp(ctx, person.session, field(form, 'app'), personAuthor(c))
      return 'signed-out'
    },
    async [mePaths.forgetConsent](c, { person, form }) {
      await forgetConsent(ctx, person.session, field(form, 'app'), personAuthor(c))
      return 'forgotten'
    },
    async [mePaths.removeIdentity](c, { person, form }) {
      const identity = {
        tenantId: field(form, 'app'),
        provider: field(form, 'provider'),
        subject: field(form, 'subject'),
      }
      await removeOwnIdentity(ctx, person.session, identity, personAuthor(c))
      return 'identity-removed'
    },
    async [mePaths.signOutEverywhere](c, { person }) {
      await signOutOfEveryApp(ctx, person.session, personAuthor(c))
      return 'signed-out-everywhere'
    },
    [mePaths.remove]: (c, post) => requestRemoval(ctx, removalChange(deps, c, post)),
    async [mePaths.keep](c, post) {
      await withdrawRemoval(ctx, removalChange(deps, c, post))
      return 'kept'
    },
  }
  for (const [path, act] of Object.entries(actions)) {
    personPost(app, deps, path, act)
  }
}

const field = (form: URLSearchParams, name: string): string => form.get(name) ?? ''

/** By the query parameter `done`. Other values show nothing, so a link can't put words on the page. */
function statusMessage(c: Call, { messages }: Language): { statusMessage?: string } {
  const texts = new Map<string, string>(Object.entries(messages.me.done))
  return defined({ statusMessage: texts.get(c.req.query('done') ?? '') })
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
    if (person === null) {
      return c.redirect(inLanguage(language, mePaths.home), 303)
    }
    person.requireCsrf(field(form, 'csrf'))
    return c.redirect(
      inLanguage(language, `${mePaths.home}?done=${await handle(c, { person, form })}`),
      303,
    )
  })
}

const removalChange = (
  deps: HttpDependencies,
  c: Call,
  { person, form }: PersonPost,
): RemovalChange => ({
  person: person.session,
  tenantId: field(form, 'app'),
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
