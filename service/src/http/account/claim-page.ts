import { buttonForm, hiddenFields } from '../pages/button-form.ts'
import { hostList } from '../pages/host-list.ts'
import { layout } from '../pages/layout.ts'
import { type Html, html } from '../pages/markup.ts'
import { type Person, personRow } from '../pages/person.ts'
import { displayText, formatCount } from '../pages/text.ts'
import { timestamp } from '../pages/time.ts'

export interface Claim {
  readonly now: number
  readonly csrf: string
  readonly tenantId: string
  readonly createdAt: number
  /** When it ends, unless somebody approves. */
  readonly expiresAt: number
  /** In punycode. */
  readonly callbackHosts: readonly string[]
  readonly people: number
  readonly signIns: number
  readonly paused: boolean
  /** The agent printed the same one: it ties this page to that agent. */
  readonly confirmationCode: string
  readonly viewer: ClaimViewer
}

/** All actions are paths of ours. */
export type ClaimViewer =
  | { readonly signedIn: false; readonly signInAction: string }
  | {
      readonly signedIn: true
      readonly person: Person
      readonly decideAction: string
      readonly switchAction: string
    }

/** `/claim/:id`: what a person would take on, before they say yes or no. Looking changes nothing. */
export function claimPage(claim: Claim): Html {
  const { viewer, csrf } = claim
  // Whoever is not signed in has no Deny to press, and needs none: nothing happens without a decision.
  const wayOut = viewer.signedIn ? 'press Deny' : 'close this page'
  return layout({
    kind: 'card',
    title: 'Keep this project?',
    body: html`
      <h1>Keep this project?</h1>
      <p>An agent made it without an account and asks you to take it over.</p>
      ${claim.paused && pausedNote}
      ${facts(claim)}
      <section class="detail">
        <h2>If you approve</h2>
        <ul>
          <li>The project is yours and does not end any more.</li>
          <li>Its people and sign-ins count towards the limits of your account.</li>
          <li>You can see who signs in, end sessions, replace the keys, and delete it.</li>
        </ul>
        <h2>Who keeps the keys</h2>
        <p>Whoever holds its key file keeps control: the agent that made it goes on working. You can replace the keys after approving.</p>
      </section>
      <div class="confirmation">
        <h2 class="label">Confirmation code</h2>
        <p class="code">${displayText(claim.confirmationCode)}</p>
        <p>It must be the code that your agent printed. If it is not, ${wayOut}.</p>
      </div>
      ${viewer.signedIn ? decision(viewer, csrf) : signIn(viewer.signInAction, csrf)}
    `,
    footer: html`<p>Did you not ask an agent for this? Then somebody else did: ${wayOut}.</p>`,
  })
}

const facts = ({ now, tenantId, createdAt, expiresAt, callbackHosts, people, signIns }: Claim): Html => html`
  <dl class="facts">
    <dt>Project</dt>
    <dd><code class="tenant">${displayText(tenantId)}</code></dd>
    <dt>Made</dt>
    <dd>${timestamp(createdAt, now)}</dd>
    <dt>Sends people to</dt>
    <dd>${hostList(callbackHosts, 'No address yet. Nobody can sign in to it so far.')}</dd>
    <dt>So far</dt>
    <dd>${formatCount(people, 'person', 'people')}, ${formatCount(signIns, 'sign-in', 'sign-ins')}</dd>
    <dt>Unless you approve, it ends</dt>
    <dd>${timestamp(expiresAt, now)}</dd>
  </dl>`

const pausedNote = html`<p class="notice caution">
  <strong>It is paused.</strong>
  It has used all that a project without an owner may use, and nobody can sign in to it. Approving lifts the pause.
</p>`

const signIn = (action: string, csrf: string): Html => html`
  ${buttonForm({ action, csrf, label: 'Sign in with Google to decide', variant: 'main' })}
  <p class="aside">Signing in approves nothing. You come back to this page and decide here.</p>`

const decision = (viewer: Extract<ClaimViewer, { signedIn: true }>, csrf: string): Html => html`
  ${personRow(viewer.person)}
  <form method="post" action="${viewer.decideAction}" class="actions">
    ${hiddenFields({ csrf })}
    <button name="decision" value="approve">Approve</button>
    <button name="decision" value="deny" class="quiet">Deny</button>
  </form>
  <div class="aside sentence"><span>Not the account you want?</span> ${buttonForm({ action: viewer.switchAction, csrf, label: 'Use another account', variant: 'text' })}</div>`
