import { timesScript } from '../pages/assets.ts'
import { buttonForm } from '../pages/fields.ts'
import { layout, script } from '../pages/layout.ts'
import { type Html, html } from '../pages/markup.ts'
import type { Operator } from '../pages/operator.ts'
import { accountPaths } from './paths.ts'

interface AccountLayout {
  readonly operator: Operator
  readonly title: string
  readonly csrf: string
  readonly body: Html
  readonly head?: Html
}

/** The frame of the pages below the dashboard: a link back to it, and the sign-out button. */
export const accountLayout = ({ title, csrf, body, operator, head }: AccountLayout): Html =>
  layout({
    kind: 'reading',
    operator,
    title,
    head: html`${script(timesScript)}${head}`,
    body: html`<div class="account-bar">
        <nav aria-label="Account"><a href="${accountPaths.home}">Your projects</a></nav>
        ${signOut(csrf)}
      </div>
      ${body}`,
  })

export const signOut = (csrf: string): Html =>
  buttonForm({ action: accountPaths.signOut, csrf, label: 'Sign out', variant: 'small' })

export const statusNotice = (message: string | undefined): Html | false =>
  message !== undefined && html`<p class="notice" role="status">${message}</p>`
