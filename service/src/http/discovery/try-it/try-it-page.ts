import type { VerifiedUser } from '@gatehouse/contract'
import { buttonForm } from '../../pages/button-form.ts'
import { codeBlock } from '../../pages/code.ts'
import { layout } from '../../pages/layout.ts'
import { type Html, html } from '../../pages/markup.ts'
import type { Operator } from '../../pages/operator.ts'
import { personRow } from '../../pages/person.ts'

export const TRY_IT_PATH = '/try'

/** Shown on the front page in development mode. */
export const tryItButton = (): Html =>
  buttonForm({ action: TRY_IT_PATH, csrf: undefined, label: 'Try a sign-in now', variant: 'main' })

/** Shows the result of verify, and never a token. */
export const triedPage = (
  tried: { readonly user: VerifiedUser } | { readonly error: string },
  operator: Operator,
): Html =>
  layout({
    kind: 'card',
    operator,
    title: 'user' in tried ? 'It works' : 'Not signed in',
    body:
      'user' in tried
        ? html`
            <h1>It works</h1>
            ${personRow(tried.user)}
            <p>This page stands in for your app. It received two tokens and verified them:</p>
            ${codeBlock('The response of verify', JSON.stringify({ valid: true, user: tried.user }, null, 2))}
            <p>Your app makes the same three calls; <a href="/">the home page</a> shows them.</p>
            ${tryItButton()}
          `
        : html`
            <h1>Not signed in</h1>
            <p>The callback received <code>error=${tried.error}</code>. Your app would receive the same and offer to try again.</p>
            ${tryItButton()}
          `,
  })
