import type { Scope } from '@gatehouse/contract'
import { clientLabel } from '../account/client-label.ts'
import { hiddenFields } from '../pages/button-form.ts'
import { layout } from '../pages/layout.ts'
import { type Html, html } from '../pages/markup.ts'
import { type Person, personRow } from '../pages/person.ts'
import { displayText } from '../pages/text.ts'

export interface OAuthConsent {
  readonly csrf: string
  /** All actions are paths of ours. */
  readonly action: string
  readonly signInAction: string
  readonly switchAction: string
  readonly client: {
    /** Its own word; may be empty. */
    readonly name: string
    /** The host whose site describes it; null for one that registered itself. */
    readonly describedAt: string | null
  }
  /** A host and port, or how the links begin that open an app. */
  readonly returnsTo: { readonly kind: 'site' | 'program' | 'app'; readonly name: string }
  readonly scopes: readonly { readonly scope: Scope; readonly words: string; readonly ticked: boolean }[]
  readonly nothingTicked: boolean
  /** null: nobody is signed in. */
  readonly viewer: Person | null
  readonly guestOffered: boolean
}

/** `/oauth/consent/…`: a person lets a program act for them, or not. Nothing is ever allowed without this page. */
export function oauthConsentPage(consent: OAuthConsent): Html {
  const { client, viewer } = consent
  const name = clientLabel(client.name)
  return layout({
    kind: 'card',
    title: `Allow ${name}?`,
    body: html`
      <h1>Allow <bdi>${name}</bdi> to manage projects for you?</h1>
      ${consent.returnsTo.kind === 'program' ? onThisComputerNote : client.describedAt === null && ownWordNote}
      <form method="post" action="${consent.action}">
        ${hiddenFields({ csrf: consent.csrf })}
        ${facts(consent)}
        ${choices(consent)}
        ${viewer === null ? signedOut(consent) : signedIn(consent, viewer)}
      </form>
    `,
    footer: html`<p>Did you not start this yourself? Then press Deny. What you allow here you can end at any time in your account.</p>`,
  })
}

const onThisComputerNote = html`<p class="notice caution">
  <strong>It says that it runs on this computer.</strong>
  Any program on this computer could be asking, under any name. Allow it only if you started this yourself, just now.
</p>`

const ownWordNote = html`<p class="notice caution">
  <strong>We have not checked this name.</strong>
  Anybody can use any. Allow it only if you started this yourself, just now, and the address below is the right one.
</p>`

// A host name has at most 253 characters. It is never cut: the end is the part that says whose it is.
const HOST_MAX = 300

const RETURNS = {
  site: 'Sends you back to',
  program: 'Answers to a program on this computer, at',
  app: 'Opens the app for links that begin with',
} as const

const facts = ({ client, returnsTo }: OAuthConsent): Html => html`
  <dl class="facts">
    ${client.describedAt !== null && html`<dt>Described by</dt><dd><strong>${displayText(client.describedAt, HOST_MAX)}</strong></dd>`}
    <dt>${RETURNS[returnsTo.kind]}</dt>
    <dd><strong>${displayText(returnsTo.name, HOST_MAX)}</strong></dd>
  </dl>`

const choices = ({ scopes, nothingTicked }: OAuthConsent): Html => html`
  <fieldset class="choices"${nothingTicked && html` aria-describedby="nothing-ticked"`}>
    <legend>It may</legend>
    ${scopes.map(
      ({ scope, words, ticked }) =>
        html`<label><input type="checkbox" name="${scope}" value="yes"${ticked && html` checked`}> <span>${words}</span></label>`,
    )}
    ${nothingTicked && html`<p class="problem" id="nothing-ticked" role="alert">Tick at least one, or press Deny. Nothing was decided.</p>`}
  </fieldset>`

const signedIn = ({ switchAction, guestOffered }: OAuthConsent, person: Person): Html => html`
  ${personRow(person)}
  <div class="actions">
    <button name="decision" value="allow">Allow</button>
    ${deny}
  </div>
  <div class="aside sentence"><span>Not the account you want?</span> <button class="text" formaction="${switchAction}">Use another account</button></div>
  ${guestOffered && html`<div class="aside sentence"><span>Or without an account:</span> ${asGuest('text')}</div>`}`

const signedOut = ({ signInAction, guestOffered }: OAuthConsent): Html => html`
  <div class="actions">
    <button class="wide" formaction="${signInAction}">Sign in with Google</button>
    ${guestOffered && asGuest('quiet')}
    ${deny}
  </div>
  <p class="aside">Signing in allows nothing yet. You come back to this page and decide here.${
    guestOffered && html` As a guest you need no account: what it creates ends after 72 hours unless you claim it.`
  }</p>`

const deny = html`<button name="decision" value="deny" class="quiet">Deny</button>`

const asGuest = (variant: 'quiet' | 'text'): Html =>
  html`<button name="decision" value="guest" class="${variant}">Continue as guest</button>`
