import { CLAIM_LINK_SECONDS, GUEST_LIFETIME_SECONDS } from '@gatehouse/contract'
import { buttonForm } from '../pages/button-form.ts'
import { layout } from '../pages/layout.ts'
import { type Html, html } from '../pages/markup.ts'
import { displayText } from '../pages/text.ts'
import { timestampInText } from '../pages/time.ts'
import { accountPaths } from './paths.ts'

export type ClaimOutcome =
  | { readonly outcome: 'approved'; readonly tenantId: string; readonly csrf: string }
  | { readonly outcome: 'denied'; readonly tenantId: string; readonly expiresAt: number; readonly now: number }
  /** `byYou`: whoever is looking owns it. Who else does is not ours to tell. */
  | { readonly outcome: 'already'; readonly tenantId: string; readonly byYou: boolean }
  | { readonly outcome: 'superseded' | 'expired' | 'gone'; readonly tenantId: string | null }

/** What became of a claim link: of the decision just made, or of one that can no longer be made. */
export function claimOutcomePage(outcome: ClaimOutcome): Html {
  const { title, body } = describe(outcome)
  return layout({
    kind: 'card',
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
      return { title: 'This project is yours', body: approved(outcome.tenantId, outcome.csrf) }
    case 'denied':
      return {
        title: 'You said no',
        body: html`<p>Nothing changed hands. ${tenant(outcome.tenantId)} stays without an owner and ends ${timestampInText(outcome.expiresAt, outcome.now)}.</p>
          <p>The agent has been told. You can close this page; if you change your mind, ask it for a new link.</p>`,
      }
    case 'already':
      return outcome.byYou ? alreadyYours(outcome.tenantId) : alreadyTaken(outcome.tenantId)
    case 'superseded':
      return {
        title: 'There is a newer link',
        body: html`<p>The agent asked for another link${forTenant(outcome.tenantId)} after this one, and only the newest works. Open the last link that your agent printed.</p>`,
      }
    case 'expired':
      return {
        title: 'This link is too old',
        body: html`<p>A link works for ${CLAIM_LINK_SECONDS / 60} minutes. This one${forTenant(outcome.tenantId)} was not used in time, and nothing has changed. Ask your agent for a new one; it gets it from <code>POST /api/claim/url</code>.</p>`,
      }
    case 'gone':
      return {
        title: 'This project has ended',
        body: html`<p>A project without an owner ends ${GUEST_LIFETIME_SECONDS / 3_600} hours after it was made. Nobody approved ${outcome.tenantId === null ? 'this one' : tenant(outcome.tenantId)} in time, or its agent deleted it; its data is gone and cannot be brought back.</p>
          <p>Ask your agent to make a new one, and approve it while the link is fresh.</p>`,
      }
  }
}

const approved = (tenantId: string, csrf: string): Html => html`
  <p>${tenant(tenantId)} does not end any more. The agent has been told, and its keys go on working.</p>
  <p class="actions"><a class="button" href="${accountPaths.home}">Go to your account</a></p>
  <section class="detail">
    <h2>Replace the keys?</h2>
    <p>Do it if anybody but you and your agent may have seen the key file. You get a new file once, and the old keys work for 24 more hours, so that nothing stops while you put it in place.</p>
    ${buttonForm({ action: accountPaths.replaceKeys(tenantId), csrf, label: 'Replace the keys', variant: 'quiet' })}
  </section>`

const alreadyYours = (tenantId: string): Description => ({
  title: 'You already own this project',
  body: html`<p>${tenant(tenantId)} was approved before and is in your account. There is nothing left to decide.</p>
    <p class="actions"><a class="button" href="${accountPaths.project(tenantId)}">Show the project</a></p>`,
})

const alreadyTaken = (tenantId: string): Description => ({
  title: 'This project has an owner',
  body: html`<p>Somebody approved ${tenant(tenantId)} before you, and the first approval counts. Nothing has changed.</p>
    <p>If you signed in with another Google account last time, use that one. Otherwise ask whoever runs the agent that gave you the link.</p>
    <p class="actions"><a class="button quiet" href="${accountPaths.home}">Go to your account</a></p>`,
})

const tenant = (tenantId: string): Html => html`<code class="tenant">${displayText(tenantId)}</code>`
const forTenant = (tenantId: string | null): Html | false => tenantId !== null && html` for ${tenant(tenantId)}`
