import { CONSENT_KEPT_MS } from '../../domain/login/remembered-consent.ts'
import { hiddenFields } from '../pages/button-form.ts'
import { layout } from '../pages/layout.ts'
import { type Html, html } from '../pages/markup.ts'
import type { Operator } from '../pages/operator.ts'
import { type Person, personRow } from '../pages/person.ts'
import { displayText, formatCount, HOST_MAX } from '../pages/text.ts'
import { accentClass, appHeading, appLinks, type ConsentApp } from './consent-app.ts'

/** The form field with the hash of what the page shows. */
export const SHOWN_FIELD = 'shown'

export interface Consent {
  readonly operator: Operator
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
  const { action, csrf, app, person, temporary, remembered, retryAfterSeconds, operator } = consent
  const provider = displayText(consent.provider, PROVIDER_MAX)
  return layout({
    kind: 'card',
    operator,
    title: `${retryAfterSeconds === undefined ? 'Sign in' : 'Please wait: sign in'} to ${displayText(app.host, HOST_MAX)}`,
    body: html`
      ${appHeading(app)}
      ${temporary && temporaryNote}
      <div class="account-choice">
        ${personRow(person)}
        <form method="post" action="${action}">${hiddenFields({ csrf })}<button name="decision" value="other" class="text">Use another account</button></form>
      </div>
      <dl class="facts">
        <dt>The app will see</dt>
        <dd>Your name, email address and profile picture. Nothing else from your ${provider} account.</dd>
        ${appLinks(app)}
      </dl>
      ${retryAfterSeconds !== undefined && retryNote(retryAfterSeconds)}
      <form method="post" action="${action}" class="actions">
        ${hiddenFields({ csrf, ...(remembered === null ? {} : { [SHOWN_FIELD]: remembered }) })}
        <button name="decision" value="allow"${accentClass(app)}>Continue</button>
        <button name="decision" value="deny" class="quiet">Cancel</button>
      </form>
      ${remembered !== null && rememberedNote}
      <p class="aside">If you cancel, the app learns only that you didn’t sign in.</p>
    `,
    footer: html`<p>Gatehouse runs this sign-in for the app. Your ${provider} password stays with ${provider}.</p>`,
  })
}

/** A name of 40 characters, and the host of the issuer. */
const PROVIDER_MAX = 40 + 3 + HOST_MAX

const temporaryNote = html`<p class="notice caution">
  <strong>Temporary, unverified app.</strong>
  It was set up without an account, so we don’t know who runs it. Continue only if you trust this address.
</p>`

const rememberedNote = html`<p class="aside">If you continue, this browser doesn’t ask you again for ${CONSENT_KEPT_MS / 86_400_000} days, unless something about the app changes. You can undo that under “Your data”, below.</p>`

const retryNote = (retryAfterSeconds: number): Html => html`<p class="notice" role="status">
  This app has reached its sign-in limit for this minute. Press Continue again in ${formatCount(Math.max(1, Math.ceil(retryAfterSeconds)), 'second', 'seconds')}.
</p>`
