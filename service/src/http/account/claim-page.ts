import { buttonForm, hiddenFields } from '../pages/button-form.ts'
import { countsFormat } from '../pages/languages/formats.ts'
import type { Language } from '../pages/languages/language.ts'
import { layout } from '../pages/layout.ts'
import { type Html, html } from '../pages/markup.ts'
import type { Operator } from '../pages/operator.ts'
import { type Person, personRow } from '../pages/person.ts'
import { providerForm } from '../pages/provider-button.ts'
import { displayText } from '../pages/text.ts'
import { timestamp } from '../pages/time.ts'
import { hostList } from './host-list.ts'
import { keyChoices } from './key-choice.ts'

/** Keeping is the default: the agent and the app keep working. */
export const CLAIM_KEY_CHOICES = ['keep', 'overlap', 'now'] as const

export interface Claim {
  readonly operator: Operator
  readonly language: Language
  readonly now: number
  readonly csrf: string
  readonly tenantId: string
  readonly createdAt: number
  /** When the project ends unless it is claimed. */
  readonly expiresAt: number
  /** In punycode. */
  readonly callbackHosts: readonly string[]
  readonly users: number
  readonly signIns: number
  readonly paused: boolean
  /** An agent that used the REST endpoint has the same code: the user compares the two. */
  readonly confirmationCode: string
  readonly viewer: ClaimViewer
}

/** All actions are paths of this site. */
export type ClaimViewer =
  | { readonly signedIn: false; readonly signInAction: string }
  | {
      readonly signedIn: true
      readonly person: Person
      readonly decideAction: string
      readonly switchAction: string
    }

/** `/claim/:id`: what the user would own, and the decision. Showing the page changes nothing. */
export function claimPage(page: Claim): Html {
  const { viewer, language } = page
  const { claim } = language.messages
  // Without a session there is no Deny button, and none is needed: nothing happens without a decision.
  const wayOut = viewer.signedIn
    ? { compare: claim.compareOrDeny, unasked: claim.unaskedDeny }
    : { compare: claim.compareOrClose, unasked: claim.unaskedClose }
  return layout({
    kind: 'card',
    operator: page.operator,
    language,
    title: claim.title,
    body: html`
      <h1>${claim.title}</h1>
      <p>${claim.intro}</p>
      ${page.paused && html`<p class="notice caution"><strong>${claim.paused}</strong> ${claim.pausedMeaning}</p>`}
      ${facts(page)}
      <section class="detail">
        <h2>${claim.ifApproved}</h2>
        <ul>
          <li>${claim.yours}</li>
          <li>${claim.counts}</li>
          <li>${claim.manage}</li>
        </ul>
        <h2>${claim.whoHasKeys}</h2>
        <p>${claim.keyFile}</p>
        <p>${claim.keptKeys}</p>
      </section>
      <div class="confirmation">
        <h2 class="label">${claim.code}</h2>
        <p class="code" dir="ltr">${displayText(page.confirmationCode)}</p>
        <p>${wayOut.compare}</p>
      </div>
      ${viewer.signedIn ? decision(page, viewer) : signIn(page, viewer.signInAction)}
    `,
    footer: html`<p>${wayOut.unasked}</p>`,
  })
}

function facts({ language, now, tenantId, createdAt, expiresAt, callbackHosts, users, signIns }: Claim): Html {
  const { claim } = language.messages
  return html`
  <dl class="facts">
    <dt>${claim.project}</dt>
    <dd><code class="tenant">${displayText(tenantId)}</code></dd>
    <dt>${claim.created}</dt>
    <dd>${timestamp(createdAt, now, language)}</dd>
    <dt>${claim.hosts}</dt>
    <dd>${hostList(callbackHosts, claim.noHosts, language)}</dd>
    <dt>${claim.activity}</dt>
    <dd>${countsFormat(language).format([claim.users(users), claim.signIns(signIns)])}</dd>
    <dt>${claim.ends}</dt>
    <dd>${timestamp(expiresAt, now, language)}</dd>
  </dl>`
}

const signIn = ({ csrf, language }: Claim, action: string): Html => html`
  ${providerForm({ action, csrf, provider: 'google', words: 'continueWith', language })}
  <p class="aside">${language.messages.claim.signInMeaning}</p>`

function decision({ csrf, language }: Claim, viewer: Extract<ClaimViewer, { signedIn: true }>): Html {
  const { claim, site } = language.messages
  return html`
  ${personRow(viewer.person)}
  <form method="post" action="${viewer.decideAction}">
    ${hiddenFields({ csrf })}
    ${keyChoices(claim.keys, CLAIM_KEY_CHOICES, language)}
    <div class="actions">
      <button name="decision" value="approve">${claim.approve}</button>
      <button name="decision" value="deny" class="quiet">${claim.deny}</button>
    </div>
  </form>
  <div class="aside sentence"><span>${claim.wrongAccount}</span> ${buttonForm({ action: viewer.switchAction, csrf, label: site.useAnotherAccount, variant: 'text' })}</div>`
}
