import { ME_SESSION_MS } from '../../domain/accounts/person.ts'
import { statusNotice } from '../account/layout.ts'
import { inLanguage, type Language } from '../pages/languages/language.ts'
import { layout } from '../pages/layout.ts'
import { type Html, html } from '../pages/markup.ts'
import type { Operator } from '../pages/operator.ts'
import { type PageProvider, providerForm } from '../pages/provider-button.ts'
import { mePaths } from './paths.ts'

export interface MeSignIn {
  readonly operator: Operator
  readonly language: Language
  /** With which people can sign in here. */
  readonly providers: readonly PageProvider[]
  readonly statusMessage?: string
}

/** `/me` without a session. */
export function meSignInPage({ operator, language, providers, statusMessage }: MeSignIn): Html {
  const { me, site } = language.messages
  const action = inLanguage(language, mePaths.signIn)
  return layout({
    kind: 'card',
    operator,
    language,
    title: site.yourData,
    body: html`
      <h1>${site.yourData}</h1>
      ${statusNotice(statusMessage)}
      <p>${me.question}</p>
      <ul>
        <li>${me.seeApps}</li>
        <li>${me.signOutOfApps}</li>
        <li>${me.haveRemoved}</li>
      </ul>
      <div class="providers">${providers.map((provider) =>
        providerForm({ action, csrf: undefined, fields: { provider }, provider, words: 'signInWith', language }),
      )}</div>
      <p class="aside">${me.signInMeaning(ME_SESSION_MS / 60_000)}</p>
    `,
  })
}
