import { statusNotice } from '../account/layout.ts'
import { buttonForm } from '../pages/button-form.ts'
import { choiceFormat } from '../pages/languages/formats.ts'
import { inLanguage, type Language } from '../pages/languages/language.ts'
import { layout } from '../pages/layout.ts'
import { type Html, html } from '../pages/markup.ts'
import type { Operator } from '../pages/operator.ts'
import { type Person, personRow } from '../pages/person.ts'
import { PAGE_PROVIDERS, type PageProvider, pageProviderName } from '../pages/provider-button.ts'
import { appSection, type MeApp } from './app-section.ts'
import { mePaths } from './paths.ts'

export interface Me {
  readonly operator: Operator
  readonly language: Language
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
export function mePage(page: Me): Html {
  const { operator, language, csrf, person, apps, statusMessage } = page
  const { me, site } = language.messages
  const provider = pageProviderName(page.provider)
  return layout({
    kind: 'reading',
    operator,
    language,
    title: site.yourData,
    body: html`
      <h1>${site.yourData}</h1>
      ${statusNotice(statusMessage)}
      <div class="account-head">
        ${personRow(person)}
        ${buttonForm({ action: inLanguage(language, mePaths.leave), csrf, label: me.leave, variant: 'small' })}
      </div>
      ${apps.length === 0 ? html`<p class="none">${me.noApps(provider)}</p>` : html`<p class="lead">${me.apps(provider)}</p>`}
      ${apps.map((app, index) => appSection(app, `app-${index + 1}`, page))}
      ${pages(page)}
      ${(apps.length > 0 || page.page > 0) && everywhere(page)}
      <h2>${me.notShown}</h2>
      <ul>
        <li>${me.otherAccounts}</li>
        ${notOffered(page)}
        <li>${me.ownClients}</li>
        <li>${me.appData}</li>
      </ul>
      <p>${me.stored(html`<a href="${operator.privacyUrl}">${site.privacy}</a>`)}</p>
    `,
  })
}

/** Apps can have their own clients at these providers, and then the person has the same id there; here they can't sign in. */
function notOffered({ providers, language }: Me): Html | false {
  const missing = PAGE_PROVIDERS.filter((each) => !providers.includes(each)).map(pageProviderName)
  return missing.length > 0 && html`<li>${language.messages.me.notOffered(choiceFormat(language).format(missing))}</li>`
}

function everywhere({ language, csrf }: Me): Html {
  const { me } = language.messages
  const action = inLanguage(language, mePaths.signOutEverywhere)
  return html`<h2>${me.everywhere}</h2>
  <p>${me.everywhereMeaning}</p>
  ${buttonForm({ action, csrf, label: me.everywhere, variant: 'quiet' })}`
}

function pages({ page, hasMore, language }: Me): Html | false {
  const { me } = language.messages
  const link = (number: number, label: string): Html =>
    html`<a href="${inLanguage(language, `${mePaths.home}?page=${number}`)}">${label}</a>`
  return (
    (page > 0 || hasMore) &&
    html`<nav aria-label="${me.pages}">${page > 0 && link(page, me.newer)} ${hasMore && link(page + 2, me.older)}</nav>`
  )
}
