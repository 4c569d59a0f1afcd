import { displayText } from '../pages/display-text.ts'
import { initials } from '../pages/initials.ts'
import { layout } from '../pages/layout.ts'
import { type Html, html } from '../pages/markup.ts'

export interface Consent {
  /** Where the form is posted: a path of ours. */
  readonly action: string
  readonly csrf: string
  /** Host and port of the callback, in punycode. Names can be chosen freely; this is the identity that counts. */
  readonly appHost: string
  readonly person: { readonly email: string; readonly name: string | null }
  /** A guest tenant: nobody we know answers for it. */
  readonly temporary: boolean
  readonly revocation?: ConsentNotice
}

/** `busy`: a rate limit stopped the decision. The sign-in is kept, and the same form may be sent again. */
export interface ConsentNotice {
  readonly kind: 'busy'
  readonly retryAfterSeconds: number
}

// A host name has at most 253 characters. It is never cut: the end is the part that says whose it is.
const HOST_MAX = 300

export function consentPage({ action, csrf, appHost, person, temporary, revocation }: Consent): Html {
  const host = displayText(appHost, HOST_MAX)
  return layout({
    kind: 'card',
    title: `${revocation ? 'Please wait: sign in' : 'Sign in'} to ${host}`,
    body: html`
      <h1>Sign in to <span class="host">${host}?</span></h1>
      ${temporary && temporaryNote}
      ${personRow(person)}
      <dl class="facts">
        <dt>The app will see</dt>
        <dd>Your name, email address and profile picture. Nothing else from your Google account.</dd>
        <dt>You will return to</dt>
        <dd><strong>${host}</strong></dd>
      </dl>
      ${revocation && busyNote(revocation.retryAfterSeconds)}
      <form method="post" action="${action}" class="actions">
        <input type="hidden" name="csrf" value="${csrf}">
        <button name="decision" value="allow">Continue</button>
        <button name="decision" value="deny" class="quiet">Cancel</button>
      </form>
      <p class="aside">If you cancel, the app only learns that you did not sign in. Not you? Cancel, then sign in again with another account.</p>
    `,
    footer: html`<p>Gatehouse runs this sign-in for the app. Your Google password stays with Google.</p>`,
  })
}

function personRow({ email, name }: Consent['person']): Html {
  const address = displayText(email, 254)
  const called = displayText(name ?? '')
  // <bdi>: a name written from right to left must not reorder the words around it.
  return html`<p class="person">
    <span class="initials" aria-hidden="true">${initials(called || address)}</span>
    <span>${called && html`<strong><bdi>${called}</bdi></strong> `}<span class="address"><bdi>${address}</bdi></span></span>
  </p>`
}

const temporaryNote = html`<p class="notice caution">
  <strong>Temporary, unverified app.</strong>
  It was set up without an account, so we do not know who runs it. Continue only if you trust this address.
</p>`

function busyNote(retryAfterSeconds: number): Html {
  const seconds = Math.max(1, Math.ceil(retryAfterSeconds))
  return html`<p class="notice" role="status">
    This app has had many sign-ins this minute. Press Continue again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.
  </p>`
}
