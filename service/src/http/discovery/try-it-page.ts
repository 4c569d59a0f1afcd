import type { VerifiedUser } from '@gatehouse/contract'
import { buttonForm } from '../pages/button-form.ts'
import { codeBlock } from '../pages/code.ts'
import { layout } from '../pages/layout.ts'
import { type Html, html } from '../pages/markup.ts'
import { personRow } from '../pages/person.ts'

export const TRY_IT_PATH = '/try'

/** One click from the front page of a service on this machine to a first sign-in. */
export const tryItButton = (): Html =>
  buttonForm({ action: TRY_IT_PATH, csrf: undefined, label: 'Try a sign-in now', variant: 'main' })

/** What an app's callback would do, shown by a callback of our own: no token is printed, only what it is good for. */
export const triedPage = (tried: { readonly user: VerifiedUser } | { readonly error: string }): Html =>
  layout({
    kind: 'card',
    title: 'user' in tried ? 'It works' : 'No sign-in this time',
    body:
      'user' in tried
        ? html`
            <h1>It works</h1>
            ${personRow(tried.user)}
            <p>This page played your app: the callback got two tokens, asked <code>verify</code> who they belong to, and heard this:</p>
            ${codeBlock('What verify answered', JSON.stringify({ valid: true, user: tried.user }, null, 2))}
            <p>Your app does the same three calls; <a href="/">the start page</a> shows them.</p>
            ${tryItButton()}
          `
        : html`
            <h1>No sign-in this time</h1>
            <p>The callback of this page heard <code>error=${tried.error}</code>. Your app would hear the same, and offer to try again.</p>
            ${tryItButton()}
          `,
  })
