import { buttonForm } from '../pages/button-form.ts'
import { layout } from '../pages/layout.ts'
import { type Html, html } from '../pages/markup.ts'
import { statusNotice } from './layout.ts'

export interface AccountSignIn {
  /** Where the form is posted: a path of ours. */
  readonly action: string
  readonly csrf?: string
  /** Where to go afterwards: a path of ours. */
  readonly next: string
  readonly revocation?: string
}

/** `/account` for somebody who is signed out. */
export const accountSignInPage = ({ action, csrf, next, revocation }: AccountSignIn): Html =>
  layout({
    kind: 'card',
    title: 'Sign in to your account',
    body: html`
      <h1>Your Gatehouse account</h1>
      ${statusNotice(revocation)}
      <p>An account is for whoever owns an app. With it you can:</p>
      <ul>
        <li>keep a project that your agent made, so that it does not end after three days,</li>
        <li>see who signs in to it, and how often,</li>
        <li>end sessions, replace its keys, or delete it.</li>
      </ul>
      ${buttonForm({ action, csrf, fields: { next }, label: 'Sign in with Google', variant: 'main' })}
      <p class="aside">The first sign-in makes the account. No project changes hands by signing in.</p>
    `,
    footer: html`<p>You do not need an account to sign in to an app that uses Gatehouse.</p>`,
  })
