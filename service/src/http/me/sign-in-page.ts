import { ME_SESSION_MS } from '../../domain/me/person.ts'
import { statusNotice } from '../account/layout.ts'
import { layout } from '../pages/layout.ts'
import { type Html, html } from '../pages/markup.ts'
import type { Operator } from '../pages/operator.ts'
import { type PageProvider, providerForm } from '../pages/provider-button.ts'
import { mePaths } from './paths.ts'

export interface MeSignIn {
  readonly operator: Operator
  /** With which people can sign in here. */
  readonly providers: readonly PageProvider[]
  readonly statusMessage?: string
}

/** `/me` without a session. */
export const meSignInPage = ({ operator, providers, statusMessage }: MeSignIn): Html =>
  layout({
    kind: 'card',
    operator,
    title: 'Your data',
    body: html`
      <h1>Your data</h1>
      ${statusNotice(statusMessage)}
      <p>Did you sign in to an app through this service? Here you can:</p>
      <ul>
        <li>see which apps you signed in to, and when,</li>
        <li>sign out of one of them, or of all,</li>
        <li>have your data removed.</li>
      </ul>
      <div class="providers">${providers.map((provider) =>
        providerForm({ action: mePaths.signIn, csrf: undefined, fields: { provider }, provider, words: 'Sign in' }),
      )}</div>
      <p class="aside">This doesn’t create an account. Choose the account that you use in the apps. You’re signed out of this page after ${ME_SESSION_MS / 60_000} minutes.</p>
    `,
  })
