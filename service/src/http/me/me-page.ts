import { type ProviderName, REMOVAL_DAYS } from '@gatehouse-auth/contract'
import { ME_SESSION_MS } from '../../domain/accounts/person.ts'
import { CONSENT_KEPT_MS } from '../../domain/login/remembered-consent.ts'
import { providerName } from '../../domain/providers/provider.ts'
import { statusNotice } from '../console/layout.ts'
import { emailText, type Person, personNames, personRow } from '../pages/elements.ts'
import { buttonForm, hiddenFields } from '../pages/fields.ts'
import { choiceFormat } from '../pages/languages/formats.ts'
import { inLanguage, type Language } from '../pages/languages/language.ts'
import { layout } from '../pages/layout.ts'
import { type Html, html } from '../pages/markup.ts'
import type { Operator } from '../pages/operator.ts'
import {
  PAGE_PROVIDERS,
  type PageProvider,
  pageProviderName,
  providerForm,
} from '../pages/provider-button.ts'
import { displayText, HOST_MAX } from '../pages/text.ts'
import { relativeTime, timestamp, timestampInText } from '../pages/time.ts'
import { mePaths } from './paths.ts'

export interface Me {
  readonly operator: Operator
  readonly language: Language
  readonly now: number
  readonly csrf: string
  readonly person: Person
  /** With which the person signed in. */
  readonly provider: PageProvider
  /** With which people can sign in here. */
  readonly providers: readonly PageProvider[]
  readonly apps: readonly MeApp[]
  /** Counts from 0. */
  readonly page: number
  readonly hasMore: boolean
  /** The result of the last action. */
  readonly statusMessage?: string
}

/** `/me`: what this service stores about one person, and what they can do about it. */
export function mePage(page: Me): Html {
  const { operator, language, csrf, person, apps, statusMessage } = page
  const { me, site } = language.messages
  const provider = pageProviderName(page.provider)
  return layout({
    kind: 'reading',
    operator,
    language,
    title: site.yourData,
    body: html`
      <h1>${site.yourData}</h1>
      ${statusNotice(statusMessage)}
      <div class="account-head">
        ${personRow(person)}
        ${buttonForm({ action: inLanguage(language, mePaths.leave), csrf, label: me.leave, variant: 'small' })}
      </div>
      ${apps.length === 0 ? html`<p class="none">${me.noApps(provider)}</p>` : html`<p class="lead">${me.apps(provider)}</p>`}
      ${apps.map((app, index) => appSection(app, `app-${index + 1}`, page))}
      ${pages(page)}
      ${(apps.length > 0 || page.page > 0) && everywhere(page)}
      <h2>${me.notShown}</h2>
      <ul>
        <li>${me.otherAccounts}</li>
        ${notOffered(page)}
        <li>${me.ownClients}</li>
        <li>${me.appData}</li>
      </ul>
      <p>${me.stored(html`<a href="${operator.privacyUrl}">${site.privacy}</a>`)}</p>
    `,
  })
}

/** Apps can have their own clients at these providers, and then the person has the same id there; here they can't sign in. */
function notOffered({ providers, language }: Me): Html | false {
  const missing = PAGE_PROVIDERS.filter((each) => !providers.includes(each)).map(pageProviderName)
  return (
    missing.length > 0 &&
    html`<li>${language.messages.me.notOffered(choiceFormat(language).format(missing))}</li>`
  )
}

function everywhere({ language, csrf }: Me): Html {
  const { me } = language.messages
  const action = inLanguage(language, mePaths.signOutEverywhere)
  return html`<h2>${me.everywhere}</h2>
  <p>${me.everywhereMeaning}</p>
  ${buttonForm({ action, csrf, label: me.everywhere, variant: 'quiet' })}`
}

function pages({ page, hasMore, language }: Me): Html | false {
  const { me } = language.messages
  const link = (number: number, label: string): Html =>
    html`<a href="${inLanguage(language, `${mePaths.home}?page=${number}`)}">${label}</a>`
  return (
    (page > 0 || hasMore) &&
    html`<nav aria-label="${me.pages}">${page > 0 && link(page, me.newer)} ${hasMore && link(page + 2, me.older)}</nav>`
  )
}

/** An app that the person signed in to. */
export interface MeApp {
  readonly tenantId: string
  /** In punycode: unlike a display name, they can't be chosen freely. */
  readonly callbackHosts: readonly string[]
  readonly user: {
    readonly email: string
    readonly name: string | null
    readonly firstSeen: number
    readonly lastSeen: number
  }
  /** false: a guest tenant, whose developer is unknown. */
  readonly owned: boolean
  /** The last used first. */
  readonly sessions: readonly { readonly createdAt: number; readonly rotatedAt: number }[]
  /** There are more than those listed. */
  readonly moreSessions: boolean
  readonly removalDueAt: number | null
  /** The app doesn't ask for consent again, in some browser of the person. */
  readonly consentRemembered: boolean
  /** With which the person signs in, if there are several. */
  readonly identities: readonly {
    readonly provider: ProviderName | null
    readonly subject: string
    readonly email: string
  }[]
}

function appSection(app: MeApp, elementId: string, page: Me): Html {
  const { callbackHosts, user, owned, sessions } = app
  const { now, language, csrf } = page
  const { me } = language.messages
  const about = {
    csrf,
    fields: { app: app.tenantId },
    variant: 'quiet',
    describedBy: elementId,
  } as const
  const button = (path: string, label: string): Html =>
    buttonForm({ action: inLanguage(language, path), label, ...about })
  return html`<section class="card app" aria-labelledby="${elementId}">
    <h2 class="name" id="${elementId}">${callbackHosts.map((host) => html`<span class="host" dir="ltr">${displayText(host, HOST_MAX)}</span> `)}</h2>
    ${sharesHosts(app, page.apps) && html`<p class="tenant-id"><code class="tenant" dir="ltr">${displayText(app.tenantId)}</code></p>`}
    ${!owned && html`<p><span class="badge">${me.temporary}</span></p>`}
    <dl class="facts">
      <dt>${me.firstUsed}</dt>
      <dd>${timestamp(user.firstSeen, now, language)}</dd>
      <dt>${me.lastUsed}</dt>
      <dd>${timestamp(user.lastSeen, now, language)}</dd>
      <dt>${me.known}</dt>
      <dd>${personNames(user)}</dd>
      <dt>${me.sessions}</dt>
      <dd>${sessionList(app, page)}</dd>
      ${app.identities.length > 0 && html`<dt>${me.identities}</dt><dd>${identityList(app, elementId, page)}</dd>`}
      ${app.consentRemembered && html`<dt>${me.consent}</dt><dd>${me.consentMeaning(CONSENT_KEPT_MS / 86_400_000)}</dd>`}
    </dl>
    ${sessions.length > 0 && button(mePaths.signOut, me.signOut)}
    ${app.consentRemembered && button(mePaths.forgetConsent, me.forgetConsent)}
    ${
      app.removalDueAt === null
        ? removal(app, elementId, page)
        : html`<p class="notice" role="note">${me.removalAsked(timestampInText(app.removalDueAt, now, language))}</p>
    ${button(mePaths.keep, me.keep)}`
    }
  </section>`
}

/** Several projects can have the same hosts, such as that of a developer: then their ids tell them apart. */
const sharesHosts = ({ tenantId, callbackHosts }: MeApp, apps: readonly MeApp[]): boolean =>
  apps.some(
    (other) => other.tenantId !== tenantId && String(other.callbackHosts) === String(callbackHosts),
  )

const identityList = (
  { identities, tenantId }: MeApp,
  describedBy: string,
  { csrf, language }: Me,
): Html =>
  html`<ul class="hosts">${identities.map(({ provider, subject, email }) => {
    const fields = { app: tenantId, provider: provider ?? '', subject }
    const action = inLanguage(language, mePaths.removeIdentity)
    const label = provider && language.messages.me.removeIdentity(providerName(provider, null))
    return html`<li>${emailText(email)} ${label !== null && buttonForm({ action, csrf, fields, label, variant: 'small', describedBy })}</li>`
  })}</ul>`

function sessionList({ sessions, moreSessions }: MeApp, { now, language }: Me): Html {
  const { me } = language.messages
  if (sessions.length === 0) {
    return html`<p class="none">${me.signedOut}</p>`
  }
  return html`<ul class="hosts">${sessions.map(
    ({ createdAt, rotatedAt }) =>
      html`<li>${me.sessionUsed(relativeTime(rotatedAt, now, language))} <span class="address">${me.sessionStarted(timestampInText(createdAt, now, language))}</span></li>`,
  )}${moreSessions && html`<li class="none">${me.moreSessions}</li>`}</ul>`
}

/** Folded, so that no data is removed by mistake. */
function removal({ tenantId, owned }: MeApp, elementId: string, { csrf, language }: Me): Html {
  const { me } = language.messages
  return html`<details class="danger">
    <summary aria-describedby="${elementId}">${me.remove}</summary>
    <p>${owned ? me.removeFromOwned(REMOVAL_DAYS) : me.removeFromTemporary}</p>
    <form method="post" action="${inLanguage(language, mePaths.remove)}">
      ${hiddenFields({ csrf, app: tenantId })}
      <button class="danger" aria-describedby="${elementId}">${me.remove}</button>
    </form>
  </details>`
}

type MeSignIn = Pick<Me, 'operator' | 'language' | 'providers' | 'statusMessage'>

/** `/me` without a session. */
export function meSignInPage({ operator, language, providers, statusMessage }: MeSignIn): Html {
  const { me, site } = language.messages
  const action = inLanguage(language, mePaths.signIn)
  return layout({
    kind: 'card',
    operator,
    language,
    title: site.yourData,
    body: html`
      <h1>${site.yourData}</h1>
      ${statusNotice(statusMessage)}
      <p>${me.question}</p>
      <ul>
        <li>${me.seeApps}</li>
        <li>${me.signOutOfApps}</li>
        <li>${me.haveRemoved}</li>
      </ul>
      <div class="providers">${providers.map((provider) =>
        providerForm({
          action,
          csrf: undefined,
          fields: { provider },
          provider,
          words: 'signInWith',
          language,
        }),
      )}</div>
      <p class="aside">${me.signInMeaning(ME_SESSION_MS / 60_000)}</p>
    `,
  })
}
