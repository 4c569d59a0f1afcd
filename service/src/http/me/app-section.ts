import { REMOVAL_DAYS } from '@gatehouse/contract'
import { CONSENT_KEPT_MS } from '../../domain/login/remembered-consent.ts'
import { buttonForm, hiddenFields } from '../pages/button-form.ts'
import { inLanguage, type Language } from '../pages/languages/language.ts'
import { type Html, html } from '../pages/markup.ts'
import { personNames } from '../pages/person.ts'
import { displayText, HOST_MAX } from '../pages/text.ts'
import { relativeTime, timestamp, timestampInText } from '../pages/time.ts'
import { mePaths } from './paths.ts'

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
}

/** The page that an app is shown on. */
export interface AppPage {
  readonly language: Language
  readonly csrf: string
  readonly now: number
}

export function appSection(app: MeApp, elementId: string, page: AppPage): Html {
  const { callbackHosts, user, owned, sessions } = app
  const { now, language } = page
  const { me } = language.messages
  const button = (path: string, label: string): Html => appButton(page, app, elementId, path, label)
  return html`<section class="card app" aria-labelledby="${elementId}">
    <h2 class="name" id="${elementId}">${callbackHosts.map((host) => html`<span class="host" dir="ltr">${displayText(host, HOST_MAX)}</span> `)}</h2>
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

const appButton = ({ csrf, language }: AppPage, app: MeApp, elementId: string, path: string, label: string): Html =>
  buttonForm({
    action: inLanguage(language, path),
    csrf,
    fields: { app: app.tenantId },
    label,
    variant: 'quiet',
    describedBy: elementId,
  })

function sessionList({ sessions, moreSessions }: MeApp, { now, language }: AppPage): Html {
  const { me } = language.messages
  if (sessions.length === 0) return html`<p class="none">${me.signedOut}</p>`
  return html`<ul class="hosts">${sessions.map(
    ({ createdAt, rotatedAt }) =>
      html`<li>${me.sessionUsed(relativeTime(rotatedAt, now, language))} <span class="address">${me.sessionStarted(timestampInText(createdAt, now, language))}</span></li>`,
  )}${moreSessions && html`<li class="none">${me.moreSessions}</li>`}</ul>`
}

/** Folded, so that no data is removed by mistake. */
function removal({ tenantId, owned }: MeApp, elementId: string, { csrf, language }: AppPage): Html {
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
