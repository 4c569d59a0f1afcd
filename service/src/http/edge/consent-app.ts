import { domainToUnicode } from 'node:url'
import type { Accent } from '@gatehouse/contract'
import { registrableDomain } from '../../domain/brand/registrable-domain.ts'
import { isLoopback } from '../../domain/callbacks/loopback.ts'
import { type Html, html } from '../pages/markup.ts'
import { displayText, HOST_MAX, initials } from '../pages/text.ts'

/** The app on the consent page. Its host comes first: unlike a name, it can't be chosen freely. */
export interface ConsentApp {
  /** Host and port of the callback, in Punycode. */
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

/** The headline, and below it what is known about the host. */
export function appHeading(app: ConsentApp): Html {
  const host = displayText(app.host, HOST_MAX)
  const isLocal = URL.canParse(`http://${host}`) && isLoopback(new URL(`http://${host}`))
  return html`${app.brand !== null && brandPicture(app.brand)}
    <h1>Sign in to <span class="host">${isLocal ? html`<b>an app on this computer</b>` : hostMarkup(host)}?</span></h1>
    ${isLocal && html`<p class="app-facts"><bdi>${host}</bdi></p>`}
    ${!isLocal && unicodeNote(host)}
    ${
      (app.brand !== null || app.verified) &&
      html`<p class="app-facts">
      ${app.brand !== null && html`<strong><bdi>${displayText(app.brand.name)}</bdi></strong>`}
      ${app.verified && html`<span class="verified">Verified domain</span>`}
    </p>`
    }`
}

/** The registrable domain in bold: it says who controls the host, whatever comes before it. */
function hostMarkup(host: string): Html {
  const [name = '', port] = host.split(':')
  const domain = registrableDomain(name)
  if (domain === null || !name.endsWith(domain)) return html`<b>${host}</b>`
  const before = name.slice(0, -domain.length)
  return html`${before}<b>${domain}</b>${port !== undefined && `:${port}`}`
}

/** An internationalized name in its letters, beside the form that can't imitate another one. */
function unicodeNote(host: string): Html | false {
  const [name = ''] = host.split(':')
  const unicode = name.includes('xn--') ? domainToUnicode(name) : name
  return (
    unicode !== name &&
    html`<p class="app-facts"><span>In its own letters: <bdi>${displayText(unicode, HOST_MAX)}</bdi></span></p>`
  )
}

/** The logo, or the first letters of the name. */
const brandPicture = ({ logo, name }: ConsentBrand): Html =>
  logo === null
    ? html`<p class="logo monogram" aria-hidden="true">${initials(displayText(name))}</p>`
    : html`<p class="logo"><img src="${logo}" alt="" width="64" height="64"></p>`

/** The app's own pages. They open a new tab, because none may lead away from the decision. */
export function appLinks({ brand }: ConsentApp): Html | false {
  const link = (label: string, href: string | null): Html | false =>
    href !== null && html`<a href="${href}" target="_blank" rel="noopener">${label}</a>`
  if (brand === null || (brand.privacyUrl === null && brand.termsUrl === null)) return false
  return html`<dt>The app’s own pages</dt>
    <dd class="app-links">${link('Privacy policy', brand.privacyUrl)} ${link('Terms', brand.termsUrl)}</dd>`
}

/** The class of the Continue button. Nothing else has the color of an app. */
export const accentClass = ({ brand }: ConsentApp): Html | false =>
  brand !== null && brand.accent !== null && html` class="accent-${brand.accent}"`
