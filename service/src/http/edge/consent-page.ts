import { CONSENT_KEPT_MS } from '../../domain/login/remembered-consent.ts'
import { hiddenFields } from '../pages/button-form.ts'
import type { Messages } from '../pages/languages/en.ts'
import type { Language } from '../pages/languages/language.ts'
import { layout } from '../pages/layout.ts'
import { type Html, html } from '../pages/markup.ts'
import type { Operator } from '../pages/operator.ts'
import { type Person, personRow } from '../pages/person.ts'
import { displayText, HOST_MAX } from '../pages/text.ts'
import { accentClass, appHeading, appLinks, type ConsentApp } from './consent-app.ts'

/** The form field with the hash of what the page shows. */
export const SHOWN_FIELD = 'shown'

export interface Consent {
  readonly operator: Operator
  readonly language: Language
  /** The path that the form is posted to. */
  readonly action: string
  readonly csrf: string
  readonly app: ConsentApp
  readonly person: Person
  /** What people call the identity provider. */
  readonly provider: string
  /** The app belongs to a guest tenant, whose developer is unknown. */
  readonly temporary: boolean
  /** Set if Continue is remembered: a hash of what the page shows of the app. */
  readonly remembered: string | null
  /** Set when a rate limit stopped the decision: the login is kept, and the same form may be sent again. */
  readonly retryAfterSeconds?: number
}

export function consentPage(consent: Consent): Html {
  const { action, csrf, app, person, temporary, remembered, retryAfterSeconds, operator, language } = consent
  const { consent: messages, site } = language.messages
  const host = displayText(app.host, HOST_MAX)
  // <bdi>: a right-to-left name must not reorder the words around it.
  const provider = html`<bdi>${displayText(consent.provider, PROVIDER_MAX)}</bdi>`
  return layout({
    kind: 'card',
    operator,
    language,
    title: retryAfterSeconds === undefined ? messages.title(host) : messages.waitTitle(host),
    body: html`
      ${appHeading(app, messages)}
      ${temporary && temporaryNote(messages)}
      <div class="account-choice">
        ${personRow(person)}
        <form method="post" action="${action}">${hiddenFields({ csrf })}<button name="decision" value="other" class="text">${site.useAnotherAccount}</button></form>
      </div>
      <dl class="facts">
        <dt>${messages.appSees}</dt>
        <dd>${messages.shared(provider)}</dd>
        ${appLinks(app, messages)}
      </dl>
      ${retryAfterSeconds !== undefined && retryNote(retryAfterSeconds, messages)}
      <form method="post" action="${action}" class="actions">
        ${hiddenFields({ csrf, ...(remembered === null ? {} : { [SHOWN_FIELD]: remembered }) })}
        <button name="decision" value="allow"${accentClass(app)}>${messages.allow}</button>
        <button name="decision" value="deny" class="quiet">${messages.deny}</button>
      </form>
      ${remembered !== null && html`<p class="aside">${messages.remembered(CONSENT_KEPT_MS / 86_400_000)}</p>`}
      <p class="aside">${messages.ifDenied}</p>
    `,
    footer: html`<p>${messages.footer(provider)}</p>`,
  })
}

/** A name of 40 characters, and the host of the issuer. */
const PROVIDER_MAX = 40 + 3 + HOST_MAX

const temporaryNote = (messages: Messages['consent']): Html => html`<p class="notice caution">
  <strong>${messages.temporary}</strong>
  ${messages.temporaryMeaning}
</p>`

const retryNote = (retryAfterSeconds: number, messages: Messages['consent']): Html =>
  html`<p class="notice" role="status">${messages.limited(Math.max(1, Math.ceil(retryAfterSeconds)))}</p>`
