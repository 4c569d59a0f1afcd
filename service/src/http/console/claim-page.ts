import { CLAIM_LINK_SECONDS, GUEST_LIFETIME_SECONDS } from '@gatehouse-auth/contract'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { ClaimDetails } from '../../operations/claims/decide-claim.ts'
import { type Person, personRow } from '../pages/elements.ts'
import { buttonForm, hiddenFields } from '../pages/fields.ts'
import { countsFormat } from '../pages/languages/formats.ts'
import type { Language } from '../pages/languages/language.ts'
import type { Messages } from '../pages/languages/messages.ts'
import { layout } from '../pages/layout.ts'
import { type Html, html } from '../pages/markup.ts'
import type { Operator } from '../pages/operator.ts'
import { providerForm } from '../pages/provider-button.ts'
import { displayText } from '../pages/text.ts'
import { timestamp, timestampInText } from '../pages/time.ts'
import { hostList, keyChoices } from './key-choice.ts'
import { accountPaths, below } from './paths.ts'

/** Keeping is the default: the agent and the app keep working. */
export const CLAIM_KEY_CHOICES = ['keep', 'overlap', 'now'] as const

export interface Claim extends Pick<ClaimDetails, 'callbackHosts' | 'users' | 'signIns'> {
  readonly operator: Operator
  readonly language: Language
  readonly now: number
  readonly csrf: string
  readonly tenant: Pick<Tenant, 'id' | 'createdAt' | 'expiresAt' | 'pausedAt'>
  /** An agent that used the REST endpoint has the same code: the user compares the two. */
  readonly claim: Pick<ClaimDetails['claim'], 'confirmationCode'>
  readonly viewer: ClaimViewer
}

/** All actions are paths of this site. */
type ClaimViewer =
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
      ${page.tenant.pausedAt !== null && html`<p class="notice caution"><strong>${claim.paused}</strong> ${claim.pausedMeaning}</p>`}
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
        <p class="code" dir="ltr">${displayText(page.claim.confirmationCode)}</p>
        <p>${wayOut.compare}</p>
      </div>
      ${viewer.signedIn ? decision(page, viewer) : signIn(page, viewer.signInAction)}
    `,
    footer: html`<p>${wayOut.unasked}</p>`,
  })
}

function facts({ language, now, tenant, callbackHosts, users, signIns }: Claim): Html {
  const { claim } = language.messages
  return html`
  <dl class="facts">
    <dt>${claim.project}</dt>
    <dd><code class="tenant">${displayText(tenant.id)}</code></dd>
    <dt>${claim.created}</dt>
    <dd>${timestamp(tenant.createdAt, now, language)}</dd>
    <dt>${claim.hosts}</dt>
    <dd>${hostList(callbackHosts, claim.noHosts, language)}</dd>
    <dt>${claim.activity}</dt>
    <dd>${countsFormat(language).format([claim.users(users), claim.signIns(signIns)])}</dd>
    <dt>${claim.ends}</dt>
    <dd>${timestamp(tenant.expiresAt ?? now, now, language)}</dd>
  </dl>`
}

const signIn = ({ csrf, language }: Claim, action: string): Html => html`
  ${providerForm({ action, csrf, provider: 'google', words: 'continueWith', language })}
  <p class="aside">${language.messages.claim.signInMeaning}</p>`

function decision(
  { csrf, language }: Claim,
  viewer: Extract<ClaimViewer, { signedIn: true }>,
): Html {
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

export type ClaimOutcome =
  | {
      readonly outcome: 'approved'
      readonly tenantId: string
      readonly csrf: string
      /** The viewer chose to keep the keys. */
      readonly keptKeys: boolean
      readonly keyGeneration: number
    }
  | {
      readonly outcome: 'denied'
      readonly tenantId: string
      readonly expiresAt: number
      readonly now: number
    }
  /** `byYou`: the viewer owns it. The page never says who another owner is. */
  | { readonly outcome: 'already'; readonly tenantId: string; readonly byYou: boolean }
  | { readonly outcome: 'superseded' | 'expired' | 'ended'; readonly tenantId: string }

/** The result of a decision, or the reason why the link can no longer be decided. */
export function claimOutcomePage(
  outcome: ClaimOutcome,
  operator: Operator,
  language: Language,
): Html {
  const [title, paragraphs, action] = describe(outcome, language)
  return layout({
    kind: 'card',
    operator,
    language,
    title,
    body: html`<h1>${title}</h1>
      ${paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}
      ${action}`,
  })
}

type Description = readonly [title: string, paragraphs: readonly (string | Html)[], action?: Html]

function describe(outcome: ClaimOutcome, language: Language): Description {
  const { claimed } = language.messages
  const project = html`<code class="tenant">${displayText(outcome.tenantId)}</code>`
  switch (outcome.outcome) {
    case 'approved': {
      const text = outcome.keptKeys ? claimed.keepsKeys(project) : claimed.newKeys(project)
      const actions = html`${linkButton(accountPaths.home, claimed.toAccount)}${replaceKeys(outcome, claimed)}`
      return [claimed.title, [text], actions]
    }
    case 'denied': {
      const end = timestampInText(outcome.expiresAt, outcome.now, language)
      return [claimed.deniedTitle, [claimed.denied(project, end), claimed.deniedNext]]
    }
    case 'already': {
      const toAccount = linkButton(accountPaths.home, claimed.toAccount, 'button quiet')
      const toProject = linkButton(accountPaths.project(outcome.tenantId), claimed.toProject)
      return outcome.byYou
        ? [claimed.yoursTitle, [claimed.yours(project)], toProject]
        : [claimed.takenTitle, [claimed.taken(project), claimed.takenNext], toAccount]
    }
    case 'superseded':
      return [claimed.supersededTitle, [claimed.superseded(project)]]
    case 'expired': {
      const endpoint = html`<code>POST /api/claim/url</code>`
      return [claimed.expiredTitle, [claimed.expired(project, CLAIM_LINK_SECONDS / 60, endpoint)]]
    }
    case 'ended':
      return [
        claimed.endedTitle,
        [claimed.ended(project, GUEST_LIFETIME_SECONDS / 3_600), claimed.endedNext],
      ]
  }
}

const linkButton = (href: string, label: string, classes = 'button'): Html =>
  html`<p class="actions"><a class="${classes}" href="${href}">${label}</a></p>`

const replaceKeys = (
  { tenantId, csrf, keyGeneration }: Extract<ClaimOutcome, { outcome: 'approved' }>,
  claimed: Messages['claimed'],
): Html => html`<section class="detail">
    <h2>${claimed.replaceTitle}</h2>
    <p>${claimed.replaceMeaning}</p>
    ${buttonForm({ action: below(accountPaths.keys, 'replace')(tenantId), csrf, fields: { generation: keyGeneration }, label: claimed.replace, variant: 'quiet' })}
  </section>`
