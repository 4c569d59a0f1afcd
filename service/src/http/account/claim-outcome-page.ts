import { CLAIM_LINK_SECONDS, GUEST_LIFETIME_SECONDS } from '@gatehouse/contract'
import { buttonForm } from '../pages/button-form.ts'
import type { Messages } from '../pages/languages/en.ts'
import type { Language } from '../pages/languages/language.ts'
import { layout } from '../pages/layout.ts'
import { type Html, html } from '../pages/markup.ts'
import type { Operator } from '../pages/operator.ts'
import { displayText } from '../pages/text.ts'
import { timestampInText } from '../pages/time.ts'
import { accountPaths } from './paths.ts'

export type ClaimOutcome =
  | {
      readonly outcome: 'approved'
      readonly tenantId: string
      readonly csrf: string
      /** The viewer chose to keep the keys. */
      readonly keptKeys: boolean
      readonly keyGeneration: number
    }
  | { readonly outcome: 'denied'; readonly tenantId: string; readonly expiresAt: number; readonly now: number }
  /** `byYou`: the viewer owns it. The page never says who another owner is. */
  | { readonly outcome: 'already'; readonly tenantId: string; readonly byYou: boolean }
  | { readonly outcome: 'superseded' | 'expired' | 'ended'; readonly tenantId: string }

/** The result of a decision, or the reason why the link can no longer be decided. */
export function claimOutcomePage(outcome: ClaimOutcome, operator: Operator, language: Language): Html {
  const { title, body } = describe(outcome, language)
  return layout({
    kind: 'card',
    operator,
    language,
    title,
    body: html`<h1>${title}</h1>
      ${body}`,
  })
}

interface Description {
  readonly title: string
  readonly body: Html
}

function describe(outcome: ClaimOutcome, language: Language): Description {
  const { claimed } = language.messages
  const project = html`<code class="tenant">${displayText(outcome.tenantId)}</code>`
  switch (outcome.outcome) {
    case 'approved':
      return {
        title: claimed.title,
        body: html`<p>${outcome.keptKeys ? claimed.keepsKeys(project) : claimed.newKeys(project)}</p>
          ${linkButton(accountPaths.home, claimed.toAccount)}
          ${replaceKeys(outcome, claimed)}`,
      }
    case 'denied':
      return {
        title: claimed.deniedTitle,
        body: html`<p>${claimed.denied(project, timestampInText(outcome.expiresAt, outcome.now, language))}</p>
          <p>${claimed.deniedNext}</p>`,
      }
    case 'already':
      return outcome.byYou
        ? {
            title: claimed.yoursTitle,
            body: html`<p>${claimed.yours(project)}</p>
              ${linkButton(accountPaths.project(outcome.tenantId), claimed.toProject)}`,
          }
        : {
            title: claimed.takenTitle,
            body: html`<p>${claimed.taken(project)}</p>
              <p>${claimed.takenNext}</p>
              ${linkButton(accountPaths.home, claimed.toAccount, 'button quiet')}`,
          }
    case 'superseded':
      return { title: claimed.supersededTitle, body: html`<p>${claimed.superseded(project)}</p>` }
    case 'expired': {
      const endpoint = html`<code>POST /api/claim/url</code>`
      return {
        title: claimed.expiredTitle,
        body: html`<p>${claimed.expired(project, CLAIM_LINK_SECONDS / 60, endpoint)}</p>`,
      }
    }
    case 'ended':
      return {
        title: claimed.endedTitle,
        body: html`<p>${claimed.ended(project, GUEST_LIFETIME_SECONDS / 3_600)}</p>
          <p>${claimed.endedNext}</p>`,
      }
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
    ${buttonForm({ action: accountPaths.replaceKeys(tenantId), csrf, fields: { generation: keyGeneration }, label: claimed.replace, variant: 'quiet' })}
  </section>`
