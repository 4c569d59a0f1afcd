import { REMOVAL_DAYS } from '@gatehouse/contract'
import { CONSENT_KEPT_MS } from '../../domain/login/remembered-consent.ts'
import { buttonForm, hiddenFields } from '../pages/button-form.ts'
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

export function appSection(app: MeApp, elementId: string, csrf: string, now: number): Html {
  const { tenantId, callbackHosts, user, owned, sessions } = app
  return html`<section class="card app" aria-labelledby="${elementId}">
    <h2 class="name" id="${elementId}">${callbackHosts.map((host) => html`<span class="host">${displayText(host, HOST_MAX)}</span> `)}</h2>
    ${!owned && html`<p><span class="badge">Temporary app</span></p>`}
    <dl class="facts">
      <dt>First used</dt>
      <dd>${timestamp(user.firstSeen, now)}</dd>
      <dt>Last used</dt>
      <dd>${timestamp(user.lastSeen, now)}</dd>
      <dt>What the app knows</dt>
      <dd>${personNames(user)}</dd>
      <dt>Sessions</dt>
      <dd>${sessionList(app, now)}</dd>
      ${app.consentRemembered && consentFact}
    </dl>
    ${
      sessions.length > 0 &&
      buttonForm({
        action: mePaths.signOut,
        csrf,
        fields: { app: tenantId },
        label: 'Sign out of this app',
        variant: 'quiet',
        describedBy: elementId,
      })
    }
    ${
      app.consentRemembered &&
      buttonForm({
        action: mePaths.forgetConsent,
        csrf,
        fields: { app: tenantId },
        label: 'Forget consent',
        variant: 'quiet',
        describedBy: elementId,
      })
    }
    ${removal(app, elementId, csrf, now)}
  </section>`
}

const consentFact = html`<dt>Consent</dt>
      <dd>Remembered for up to ${CONSENT_KEPT_MS / 86_400_000} days where you pressed Continue: signing in there doesn’t ask you again.</dd>`

const sessionList = ({ sessions, moreSessions }: MeApp, now: number): Html =>
  sessions.length === 0
    ? html`<p class="none">You’re not signed in.</p>`
    : html`<ul class="hosts">${sessions.map(
        ({ createdAt, rotatedAt }) =>
          html`<li>Last used ${relativeTime(rotatedAt, now)} <span class="address">Signed in ${timestampInText(createdAt, now)}</span></li>`,
      )}${moreSessions && html`<li class="none">And more.</li>`}</ul>`

/** Folded, so that no data is removed by mistake. */
function removal({ tenantId, owned, removalDueAt }: MeApp, elementId: string, csrf: string, now: number): Html {
  if (removalDueAt !== null) {
    return html`<p class="notice" role="note">You asked to have your data removed. The app’s owner knows. It is removed ${timestampInText(removalDueAt, now)}, at the latest.</p>
    ${buttonForm({ action: mePaths.keep, csrf, fields: { app: tenantId }, label: 'Keep my data', variant: 'quiet', describedBy: elementId })}`
  }
  return html`<details class="danger">
    <summary aria-describedby="${elementId}">Remove my data</summary>
    <p>${
      owned
        ? `We ask the app’s owner to remove your data. If they don’t, we remove it after ${REMOVAL_DAYS} days: your sessions end, and the history here no longer names you.`
        : 'This temporary app has no known owner, so we remove your data now: your sessions end, and the history here no longer names you. This can’t be undone.'
    } What the app stores itself isn’t here: ask the app.</p>
    <form method="post" action="${mePaths.remove}">
      ${hiddenFields({ csrf, app: tenantId })}
      <button class="danger" aria-describedby="${elementId}">Remove my data</button>
    </form>
  </details>`
}
