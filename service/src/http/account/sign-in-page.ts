import { layout } from '../pages/layout.ts'
import { type Html, html } from '../pages/markup.ts'
import type { Operator } from '../pages/operator.ts'
import { providerForm } from '../pages/provider-button.ts'
import { statusNotice } from './layout.ts'

export interface AccountSignIn {
  readonly operator: Operator
  /** The path that the form is posted to. */
  readonly action: string
  readonly csrf?: string
  /** The path to return to after signing in. */
  readonly next: string
  readonly statusMessage?: string
}

/** `/account` without a session. */
export const accountSignInPage = ({ action, csrf, next, statusMessage, operator }: AccountSignIn): Html =>
  layout({
    kind: 'card',
    operator,
    title: 'Sign in to your account',
    body: html`
      <h1>Your Gatehouse account</h1>
      ${statusNotice(statusMessage)}
      <p>An account is for app owners. With it you can:</p>
      <ul>
        <li>claim a project that your agent created, so that it doesn’t end after three days,</li>
        <li>see who signs in to it, and how often,</li>
        <li>end sessions, replace its keys, or delete it.</li>
      </ul>
      ${providerForm({ action, csrf, fields: { next }, provider: 'google', words: 'signInWith' })}
      <p class="aside">Your first sign-in creates the account. Signing in doesn’t claim any project.</p>
    `,
    footer: html`<p>You don’t need an account to sign in to an app that uses Gatehouse.</p>`,
  })
