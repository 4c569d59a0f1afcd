import type { Scope } from '@gatehouse-auth/contract'
import { type Person, personRow } from '../pages/elements.ts'
import { hiddenFields } from '../pages/fields.ts'
import { layout } from '../pages/layout.ts'
import { type Html, html } from '../pages/markup.ts'
import type { Operator } from '../pages/operator.ts'
import { providerButton } from '../pages/provider-button.ts'
import { clientLabel, displayText, HOST_MAX } from '../pages/text.ts'

export interface OAuthConsent {
  readonly operator: Operator
  readonly csrf: string
  /** All actions are paths of this site. */
  readonly action: string
  readonly signInAction: string
  readonly switchAction: string
  readonly client: {
    /** Chosen by the client; may be empty. */
    readonly name: string
    /** The host of its client metadata document; null after dynamic registration. */
    readonly describedAt: string | null
  }
  /** Where the authorization response goes. `site`, `loopback`: host and port. `app`: a private-use URI scheme. */
  readonly returnsTo: { readonly kind: 'site' | 'loopback' | 'app'; readonly name: string }
  readonly scopes: readonly {
    readonly scope: Scope
    readonly words: string
    readonly ticked: boolean
  }[]
  readonly nothingTicked: boolean
  /** null without a session. */
  readonly viewer: Person | null
  readonly guestOffered: boolean
}

/** `/oauth/consent/…`: every authorization is decided here. */
export function oauthConsentPage(consent: OAuthConsent): Html {
  const { client, viewer } = consent
  const name = clientLabel(client.name)
  return layout({
    kind: 'card',
    operator: consent.operator,
    title: `Allow ${name}?`,
    body: html`
      <h1>Allow <bdi>${name}</bdi> to manage projects for you?</h1>
      ${consent.returnsTo.kind === 'loopback' ? loopbackNote : client.describedAt === null && unverifiedNameNote}
      <form method="post" action="${consent.action}">
        ${hiddenFields({ csrf: consent.csrf })}
        ${facts(consent)}
        ${choices(consent)}
        ${viewer === null ? signedOut(consent) : signedIn(consent, viewer)}
      </form>
    `,
    footer: html`<p>If you didn’t ask for this, press Deny. You can revoke access at any time in your account.</p>`,
  })
}

const loopbackNote = html`<p class="notice caution">
  <strong>This application says it runs on this computer.</strong>
  Any program on this computer can ask under any name. Allow it only if you started this yourself just now.
</p>`

const unverifiedNameNote = html`<p class="notice caution">
  <strong>We haven’t verified this name.</strong>
  An application can choose any name. Allow it only if you started this yourself just now and the address below is right.
</p>`

const RETURNS = {
  site: 'Sends you back to',
  loopback: 'Sends the result to this computer, at',
  app: 'Opens the app for links that begin with',
} as const

const facts = ({ client, returnsTo }: OAuthConsent): Html => html`
  <dl class="facts">
    ${client.describedAt !== null && html`<dt>Published by</dt><dd><strong>${displayText(client.describedAt, HOST_MAX)}</strong></dd>`}
    <dt>${RETURNS[returnsTo.kind]}</dt>
    <dd><strong>${displayText(returnsTo.name, HOST_MAX)}</strong></dd>
  </dl>`

const choices = ({ scopes, nothingTicked }: OAuthConsent): Html => html`
  <fieldset class="choices"${nothingTicked && html` aria-describedby="nothing-ticked"`}>
    <legend>It will be able to</legend>
    ${scopes.map(
      ({ scope, words, ticked }) =>
        html`<label><input type="checkbox" name="${scope}" value="yes"${ticked && html` checked`}> <span>${words}</span></label>`,
    )}
    ${nothingTicked && html`<p class="problem" id="nothing-ticked" role="alert">Select at least one, or press Deny. Nothing was changed.</p>`}
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
    ${providerButton({ provider: 'google', words: 'signInWith' }, signInAction)}
    ${guestOffered && asGuest('quiet')}
    ${deny}
  </div>
  <p class="aside">Signing in doesn’t allow anything yet. You’ll return to this page to decide.${
    guestOffered &&
    html` As a guest, you don’t need an account: projects end after 72 hours unless you claim them.`
  }</p>`

const deny = html`<button name="decision" value="deny" class="quiet">Deny</button>`

const asGuest = (variant: 'quiet' | 'text'): Html =>
  html`<button name="decision" value="guest" class="${variant}">Continue as guest</button>`
