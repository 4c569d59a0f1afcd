import { CLAIM_LINK_SECONDS, GUEST_LIFETIME_SECONDS } from '@gatehouse/contract'
import { buttonForm } from '../pages/button-form.ts'
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
  | { readonly outcome: 'superseded' | 'expired' | 'ended'; readonly tenantId: string | null }

/** The result of a decision, or the reason why the link can no longer be decided. */
export function claimOutcomePage(outcome: ClaimOutcome, operator: Operator): Html {
  const { title, body } = describe(outcome)
  return layout({
    kind: 'card',
    operator,
    title,
    body: html`<h1>${title}</h1>
      ${body}`,
  })
}

interface Description {
  readonly title: string
  readonly body: Html
}

function describe(outcome: ClaimOutcome): Description {
  switch (outcome.outcome) {
    case 'approved':
      return { title: 'This project is yours', body: approved(outcome) }
    case 'denied':
      return {
        title: 'Request denied',
        body: html`<p>Nothing was changed. ${tenant(outcome.tenantId)} has no owner and ends ${timestampInText(outcome.expiresAt, outcome.now)}.</p>
          <p>Your agent has been notified. You can close this page. If you change your mind, ask your agent for a new link.</p>`,
      }
    case 'already':
      return outcome.byYou ? alreadyYours(outcome.tenantId) : alreadyTaken(outcome.tenantId)
    case 'superseded':
      return {
        title: 'There’s a newer link',
        body: html`<p>Your agent created a newer link${forTenant(outcome.tenantId)}, and only the newest one works. Open the last link that your agent printed.</p>`,
      }
    case 'expired':
      return {
        title: 'This link has expired',
        body: html`<p>A link works for ${CLAIM_LINK_SECONDS / 60} minutes. This one${forTenant(outcome.tenantId)} wasn’t used in time, and nothing was changed. Ask your agent for a new one; it gets one from <code>POST /api/claim/url</code>.</p>`,
      }
    case 'ended':
      return {
        title: 'This project has ended',
        body: html`<p>A project without an owner ends ${GUEST_LIFETIME_SECONDS / 3_600} hours after it was created. ${outcome.tenantId === null ? 'This one' : tenant(outcome.tenantId)} wasn’t claimed in time, or its agent deleted it. Its data is deleted and can’t be restored.</p>
          <p>Ask your agent to create a new one, and claim it before the link expires.</p>`,
      }
  }
}

const approved = ({
  tenantId,
  csrf,
  keptKeys,
  keyGeneration,
}: Extract<ClaimOutcome, { outcome: 'approved' }>): Html => html`
  <p>${tenant(tenantId)} no longer expires. Your agent has been notified${keptKeys && ', and its keys keep working'}.</p>
  <p class="actions"><a class="button" href="${accountPaths.home}">Go to your account</a></p>
  <section class="detail">
    <h2>Replace the keys?</h2>
    <p>Replace them if anyone but you and your agent may have seen the key file. The new file is shown once. The old keys work for 24 more hours, so your app keeps working while you switch.</p>
    ${buttonForm({ action: accountPaths.replaceKeys(tenantId), csrf, fields: { generation: keyGeneration }, label: 'Replace the keys', variant: 'quiet' })}
  </section>`

const alreadyYours = (tenantId: string): Description => ({
  title: 'You already own this project',
  body: html`<p>You’ve already claimed ${tenant(tenantId)}. There’s nothing left to decide.</p>
    <p class="actions"><a class="button" href="${accountPaths.project(tenantId)}">Go to the project</a></p>`,
})

const alreadyTaken = (tenantId: string): Description => ({
  title: 'This project already has an owner',
  body: html`<p>Someone else has claimed ${tenant(tenantId)}. Nothing was changed.</p>
    <p>If you claimed it with another Google account, sign in with that one. Otherwise ask the person who gave you the link.</p>
    <p class="actions"><a class="button quiet" href="${accountPaths.home}">Go to your account</a></p>`,
})

const tenant = (tenantId: string): Html => html`<code class="tenant">${displayText(tenantId)}</code>`
const forTenant = (tenantId: string | null): Html | false => tenantId !== null && html` for ${tenant(tenantId)}`
