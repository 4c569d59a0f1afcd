import { ME_PATH } from '../../domain/accounts/person.ts'
import { ENGLISH, inLanguage, type Language } from './languages/language.ts'
import { type Html, html } from './markup.ts'
import { displayText } from './text.ts'

/** Who runs this service, as its operator configured it. The URLs are http or https; `privacyUrl` may be a path of this site. */
export interface Operator {
  readonly name: string | null
  readonly privacyUrl: string
  readonly termsUrl: string | null
  readonly supportUrl: string | null
}

/**
 * The last line of every page: a person can see who handles the sign-in, and what happens to their data. On a page with a
 * decision the links open a new tab, because none may lead away from the decision.
 */
export const operatorLinks = (
  { name, privacyUrl, termsUrl, supportUrl }: Operator,
  inNewTab: boolean,
  language: Language = ENGLISH,
): Html => {
  const { site } = language.messages
  const link = (label: string, href: string | null): Html | false =>
    href !== null &&
    html`<a href="${href}"${inNewTab && html` target="_blank" rel="noopener"`}>${label}</a>`
  return html`
<nav class="operator" aria-label="${site.about}">
${name !== null && html`<span>${site.runBy(html`<bdi>${displayText(name)}</bdi>`)}</span>`}
${link(site.yourData, inLanguage(language, ME_PATH))} ${link(site.privacy, privacyUrl)} ${link(site.terms, termsUrl)} ${link(site.support, supportUrl)}
</nav>`
}
