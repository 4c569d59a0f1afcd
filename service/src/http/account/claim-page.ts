import { buttonForm, hiddenFields } from '../pages/button-form.ts'
import { layout } from '../pages/layout.ts'
import { type Html, html } from '../pages/markup.ts'
import type { Operator } from '../pages/operator.ts'
import { type Person, personRow } from '../pages/person.ts'
import { providerForm } from '../pages/provider-button.ts'
import { displayText, formatCount } from '../pages/text.ts'
import { timestamp } from '../pages/time.ts'
import { hostList } from './host-list.ts'
import { keyChoices } from './key-choice.ts'

/** Keeping is the default: the agent and the app keep working. */
export const CLAIM_KEY_CHOICES = ['keep', 'overlap', 'now'] as const

export interface Claim {
  readonly operator: Operator
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
export function claimPage(claim: Claim): Html {
  const { viewer, csrf } = claim
  // Without a session there is no Deny button, and none is needed: nothing happens without a decision.
  const wayOut = viewer.signedIn ? 'press Deny' : 'close this page'
  return layout({
    kind: 'card',
    operator: claim.operator,
    title: 'Keep this project?',
    body: html`
      <h1>Keep this project?</h1>
      <p>An agent created it without an account and asks you to claim it.</p>
      ${claim.paused && pausedNote}
      ${facts(claim)}
      <section class="detail">
        <h2>If you approve</h2>
        <ul>
          <li>The project is yours and no longer expires.</li>
          <li>Its users and sign-ins count toward the limits of your account.</li>
          <li>You can see who signs in, end sessions, replace the keys, and delete the project.</li>
        </ul>
        <h2>Who has the keys</h2>
        <p>Anyone with the key file can manage the project and see its users. The agent that created the project has the file.</p>
        <p>If you keep the keys, they also show the names, usage and activity of your other projects, but not who signed in to them. If you replace the keys, your agent needs the new file, which is shown once.</p>
      </section>
      <div class="confirmation">
        <h2 class="label">Confirmation code</h2>
        <p class="code">${displayText(claim.confirmationCode)}</p>
        <p>If your agent gave you a code, it must match. If it doesn’t, ${wayOut}.</p>
      </div>
      ${viewer.signedIn ? decision(viewer, csrf) : signIn(viewer.signInAction, csrf)}
    `,
    footer: html`<p>If you didn’t ask for this, ${wayOut}.</p>`,
  })
}

const facts = ({ now, tenantId, createdAt, expiresAt, callbackHosts, users, signIns }: Claim): Html => html`
  <dl class="facts">
    <dt>Project</dt>
    <dd><code class="tenant">${displayText(tenantId)}</code></dd>
    <dt>Created</dt>
    <dd>${timestamp(createdAt, now)}</dd>
    <dt>Callback hosts</dt>
    <dd>${hostList(callbackHosts, 'None yet, so users can’t sign in.')}</dd>
    <dt>Activity</dt>
    <dd>${formatCount(users, 'user', 'users')}, ${formatCount(signIns, 'sign-in', 'sign-ins')}</dd>
    <dt>Ends unless you approve</dt>
    <dd>${timestamp(expiresAt, now)}</dd>
  </dl>`

const pausedNote = html`<p class="notice caution">
  <strong>This project is paused.</strong>
  It has reached its trial limit, so users can’t sign in. Approving ends the pause.
</p>`

const signIn = (action: string, csrf: string): Html => html`
  ${providerForm({ action, csrf, provider: 'google', words: 'Continue' })}
  <p class="aside">Signing in doesn’t approve anything. You’ll return to this page to decide.</p>`

const decision = (viewer: Extract<ClaimViewer, { signedIn: true }>, csrf: string): Html => html`
  ${personRow(viewer.person)}
  <form method="post" action="${viewer.decideAction}">
    ${hiddenFields({ csrf })}
    ${keyChoices('The keys, if you approve', CLAIM_KEY_CHOICES)}
    <div class="actions">
      <button name="decision" value="approve">Approve</button>
      <button name="decision" value="deny" class="quiet">Deny</button>
    </div>
  </form>
  <div class="aside sentence"><span>Not the account you want?</span> ${buttonForm({ action: viewer.switchAction, csrf, label: 'Use another account', variant: 'text' })}</div>`
