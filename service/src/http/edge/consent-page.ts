import { domainToUnicode } from 'node:url'
import type { Accent } from '@gatehouse-auth/contract'
import { registrableDomain } from '../../domain/brand/domain.ts'
import { isLoopback } from '../../domain/callbacks/host.ts'
import { CONSENT_KEPT_MS } from '../../domain/login/remembered-consent.ts'
import { type Person, personRow } from '../pages/elements.ts'
import { hiddenFields } from '../pages/fields.ts'
import type { Language } from '../pages/languages/language.ts'
import type { Messages } from '../pages/languages/messages.ts'
import { layout } from '../pages/layout.ts'
import { type Html, html } from '../pages/markup.ts'
import type { Operator } from '../pages/operator.ts'
import { displayText, HOST_MAX, initials } from '../pages/text.ts'

const DAY_MS = 24 * 3_600_000

/** The form field with the hash of what the page shows. */
export const SHOWN_FIELD = 'shown'

export interface Consent {
  readonly operator: Operator
  readonly language: Language
  /** The path that the form is posted to. */
  readonly action: string
  readonly csrf: string
  readonly app: ConsentApp
  readonly person: Person
  /** Whose account gets the identity of this person; null: a sign-in. */
  readonly account: Person | null
  /** What people call the identity provider. */
  readonly provider: string
  /** The app belongs to a guest tenant, whose developer is unknown. */
  readonly temporary: boolean
  /** Set if Continue is remembered: a hash of what the page shows of the app. */
  readonly remembered: string | null
  /** Set when a rate limit stopped the decision: the login is kept, and the same form may be sent again. */
  readonly retryAfterSeconds?: number
}

/** The app on the consent page. Its host comes first: unlike a name, it can't be chosen freely. */
interface ConsentApp {
  /** Host and port of the callback, in Punycode; of an app on the device, its scheme with the colon. */
  readonly host: string
  /** Its owner controls the domain of the host. */
  readonly verified: boolean
  /** What the owner calls it, on a verified domain only. */
  readonly brand: ConsentBrand | null
}

export interface ConsentBrand {
  readonly name: string
  /** A path of this origin. */
  readonly logo: string | null
  readonly accent: Accent | null
  readonly privacyUrl: string | null
  readonly termsUrl: string | null
}

export function consentPage(consent: Consent): Html {
  const {
    action,
    csrf,
    app,
    person,
    temporary,
    remembered,
    retryAfterSeconds,
    operator,
    language,
  } = consent
  const { consent: messages, site } = language.messages
  const host = displayText(app.host, HOST_MAX)
  // <bdi>: a right-to-left name must not reorder the words around it.
  const provider = html`<bdi>${displayText(consent.provider, PROVIDER_MAX)}</bdi>`
  const hasName = displayText(person.name ?? '') !== ''
  const shared = hasName ? messages.shared(provider) : messages.sharedWithoutName(provider)
  const hidden = remembered === null ? { csrf } : { csrf, [SHOWN_FIELD]: remembered }

  return layout({
    kind: 'card',
    operator,
    language,
    title: retryAfterSeconds === undefined ? messages.title(host) : messages.waitTitle(host),
    body: html`
      ${appHeading(app, messages)}
      ${temporary && temporaryNote(messages)}
      <div class="account-choice">
        ${personRow(person)}
        <form method="post" action="${action}">${hiddenFields({ csrf })}<button name="decision" value="other" class="text">${site.useAnotherAccount}</button></form>
      </div>
      <dl class="facts">
        <dt>${messages.appSees}</dt>
        <dd>${shared}</dd>
        ${appLinks(app, messages)}
      </dl>
      ${retryAfterSeconds !== undefined && retryNote(retryAfterSeconds, messages)}
      <form method="post" action="${action}" class="actions">
        ${hiddenFields(hidden)}
        <button name="decision" value="allow"${accentClass(app)}>${messages.allow}</button>
        <button name="decision" value="deny" class="quiet">${messages.deny}</button>
      </form>
      ${remembered !== null && html`<p class="aside">${messages.remembered(CONSENT_KEPT_MS / DAY_MS)}</p>`}
      <p class="aside">${messages.ifDenied}</p>
    `,
    footer: html`<p>${messages.footer(provider)}</p>`,
  })
}

/** Adds the identity of a person to an account. Names both: prevents that either is another person's. */
export function linkPage(consent: Consent): Html {
  const { action, csrf, app, person, account, operator, language } = consent
  const { consent: messages } = language.messages
  const host = html`<span class="host" dir="ltr">${displayText(app.host, HOST_MAX)}</span>`
  const provider = displayText(consent.provider, PROVIDER_MAX)
  return layout({
    kind: 'card',
    operator,
    language,
    title: messages.linkTitle(provider),
    body: html`
      <h1>${messages.linkTitle(provider)}</h1>
      <dl class="facts">
        <dt>${messages.linkAccount(host)}</dt>
        <dd>${personRow(account ?? person)}</dd>
        <dt>${messages.linkAdded(provider)}</dt>
        <dd>${personRow(person)}</dd>
      </dl>
      <p>${messages.linkMeaning}</p>
      <form method="post" action="${action}" class="actions">
        ${hiddenFields({ csrf })}
        <button name="decision" value="allow"${accentClass(app)}>${messages.linkAllow}</button>
        <button name="decision" value="deny" class="quiet">${messages.deny}</button>
      </form>
    `,
  })
}

/** A name of 40 characters, and the host of the issuer. */
const PROVIDER_MAX = 40 + 3 + HOST_MAX

/** The headline, and below it what is known about the host. */
function appHeading(app: ConsentApp, messages: Messages['consent']): Html {
  const host = displayText(app.host, HOST_MAX)
  if (host.endsWith(':')) {
    return html`<h1>${messages.deviceHeading}</h1><p class="app-facts"><span dir="ltr">${host}</span></p>`
  }
  const isLocal = isOnThisComputer(host)
  return html`${app.brand !== null && brandPicture(app.brand)}
    <h1>${isLocal ? messages.localHeading : hostHeading(host, messages)}</h1>
    ${isLocal && html`<p class="app-facts"><span dir="ltr">${host}</span></p>`}
    ${unicodeNote(host, messages)}
    ${app.verified && verifiedNote(app.brand, messages)}`
}

function isOnThisComputer(host: string): boolean {
  const url = `http://${host}`
  return URL.canParse(url) && isLoopback(new URL(url))
}

const verifiedNote = (brand: ConsentBrand | null, messages: Messages['consent']): Html =>
  html`<p class="app-facts">
      ${brand !== null && html`<strong><bdi>${displayText(brand.name)}</bdi></strong>`}
      <span class="verified">${messages.verified}</span>
    </p>`

/** The host is one block, so that no line ends within it; a question mark after it is part of the block. */
function hostHeading(host: string, messages: Messages['consent']): Html {
  const [before, after = ''] = messages.heading(SLOT).split(SLOT)
  const [mark = ''] = /^\s*\p{Po}*/u.exec(after) ?? []
  const block = html`<span class="host"><span dir="ltr">${hostMarkup(host)}</span>${mark.trimEnd()}</span>`
  return html`${before}${block}${after.slice(mark.trimEnd().length)}`
}

/** Stands for the host, in which it can't occur. */
const SLOT = '\0'

/** The registrable domain in bold: it says who controls the host, whatever comes before it. */
function hostMarkup(host: string): Html {
  const [name = '', port] = host.split(':')
  const domain = registrableDomain(name)
  if (domain === null) {
    return html`<b>${host}</b>`
  }
  const before = name.slice(0, -domain.length)
  return html`${before}<b>${domain}</b>${port !== undefined && `:${port}`}`
}

/** An internationalized name in its letters, beside the form that can't imitate another one. */
function unicodeNote(host: string, messages: Messages['consent']): Html | false {
  const [name = ''] = host.split(':')
  const unicode = name.includes('xn--') ? domainToUnicode(name) : name
  if (unicode === name) {
    return false
  }
  const letters = html`<bdi>${displayText(unicode, HOST_MAX)}</bdi>`
  return html`<p class="app-facts"><span>${messages.ownLetters(letters)}</span></p>`
}

/** The logo, or the first letters of the name. */
const brandPicture = ({ logo, name }: ConsentBrand): Html =>
  logo === null
    ? html`<p class="logo monogram" aria-hidden="true">${initials(displayText(name))}</p>`
    : html`<p class="logo"><img src="${logo}" alt="" width="64" height="64"></p>`

const temporaryNote = (messages: Messages['consent']): Html => html`<p class="notice caution">
  <strong>${messages.temporary}</strong>
  ${messages.temporaryMeaning}
</p>`

/** The app's own pages. They open a new tab, because none may lead away from the decision. */
function appLinks({ brand }: ConsentApp, messages: Messages['consent']): Html | false {
  const link = (label: string, href: string | null): Html | false =>
    href !== null && html`<a href="${href}" target="_blank" rel="noopener">${label}</a>`
  if (brand === null || (brand.privacyUrl === null && brand.termsUrl === null)) {
    return false
  }
  return html`<dt>${messages.appPages}</dt>
    <dd class="app-links">${link(messages.privacyPolicy, brand.privacyUrl)} ${link(messages.terms, brand.termsUrl)}</dd>`
}

const retryNote = (retryAfterSeconds: number, messages: Messages['consent']): Html =>
  html`<p class="notice" role="status">${messages.limited(Math.max(1, Math.ceil(retryAfterSeconds)))}</p>`

/** The class of the Continue button. Nothing else has the color of an app. */
const accentClass = ({ brand }: ConsentApp): Html | false =>
  brand !== null && brand.accent !== null && html` class="accent-${brand.accent}"`
