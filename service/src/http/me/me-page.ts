import { statusNotice } from '../account/layout.ts'
import { buttonForm } from '../pages/button-form.ts'
import { layout } from '../pages/layout.ts'
import { type Html, html } from '../pages/markup.ts'
import type { Operator } from '../pages/operator.ts'
import { type Person, personRow } from '../pages/person.ts'
import { PAGE_PROVIDERS, type PageProvider, pageProviderName } from '../pages/provider-button.ts'
import { appSection, type MeApp } from './app-section.ts'
import { mePaths } from './paths.ts'

export interface Me {
  readonly operator: Operator
  readonly now: number
  readonly csrf: string
  readonly person: Person
  /** With which the person signed in. */
  readonly provider: PageProvider
  /** With which people can sign in here. */
  readonly providers: readonly PageProvider[]
  readonly apps: readonly MeApp[]
  /** Counts from 0. */
  readonly page: number
  readonly hasMore: boolean
  /** The result of the last action. */
  readonly statusMessage?: string
}

/** `/me`: what this service stores about one person, and what they can do about it. */
export const mePage = ({ operator, now, csrf, person, apps, page, hasMore, statusMessage, ...me }: Me): Html =>
  layout({
    kind: 'reading',
    operator,
    title: 'Your data',
    body: html`
      <h1>Your data</h1>
      ${statusNotice(statusMessage)}
      <div class="account-head">
        ${personRow(person)}
        ${buttonForm({ action: mePaths.leave, csrf, label: 'Sign out of this page', variant: 'small' })}
      </div>
      ${apps.length === 0 ? none(me.provider) : html`<p class="lead">Apps that you signed in to with this ${pageProviderName(me.provider)} account, the last used first.</p>`}
      ${apps.map((app, index) => appSection(app, `app-${index + 1}`, csrf, now))}
      ${pages(page, hasMore)}
      ${(apps.length > 0 || page > 0) && everywhere(csrf)}
      <h2>What this page can’t show</h2>
      <ul>
        <li>Apps that you signed in to with another account. To see them, sign in to this page with that account.</li>
        ${notOffered(me.providers)}
        <li>Apps that use their own client with Apple or another OpenID provider: they know you by an id of their own.</li>
        <li>What an app stores about you itself. Ask the app.</li>
      </ul>
      <p>What this service stores, and for how long: <a href="${operator.privacyUrl}">Privacy</a>.</p>
    `,
  })

const none = (provider: PageProvider): Html =>
  html`<p class="none">No app here has data about this ${pageProviderName(provider)} account.</p>`

/** Apps can have their own clients at these providers, and then the person has the same id there; here they can't sign in. */
const notOffered = (providers: readonly PageProvider[]): Html | false => {
  const missing = PAGE_PROVIDERS.filter((each) => !providers.includes(each)).map(pageProviderName)
  return (
    missing.length > 0 &&
    html`<li>Apps that you sign in to with ${missing.join(' or ')}: this service has no client there.</li>`
  )
}

const everywhere = (csrf: string): Html => html`<h2>Sign out everywhere</h2>
  <p>Ends your sessions in every app that has your data. You can sign in again.</p>
  ${buttonForm({ action: mePaths.signOutEverywhere, csrf, label: 'Sign out everywhere', variant: 'quiet' })}`

const pages = (page: number, hasMore: boolean): Html | false =>
  (page > 0 || hasMore) &&
  html`<nav aria-label="Apps">
    ${page > 0 && html`<a href="${mePaths.home}?page=${page}">Newer</a>`}
    ${hasMore && html`<a href="${mePaths.home}?page=${page + 2}">Older</a>`}
  </nav>`
