import { layout } from '../../../pages/layout.ts'
import { type Html, html } from '../../../pages/markup.ts'
import type { Operator } from '../../../pages/operator.ts'
import { displayText } from '../../../pages/text.ts'
import { accountPaths } from '../../paths.ts'

export const projectDeletedPage = ({
  tenantId,
  rowsLeft,
  operator,
}: {
  readonly tenantId: string
  /** Still to be deleted, in steps. */
  readonly rowsLeft: number
  readonly operator: Operator
}): Html =>
  layout({
    kind: 'card',
    operator,
    title: 'Project deleted',
    body: html`
      <h1>Project deleted</h1>
      <p><code class="tenant">${displayText(tenantId)}</code> is deleted, with its users, sessions, history, settings and keys. Users can no longer sign in, and its key file no longer works.</p>
      ${
        rowsLeft > 0 &&
        html`<p>It was large: ${rowsLeft.toLocaleString('en')} rows are unreadable already, and are erased within minutes.</p>`
      }
      <p class="actions"><a class="button" href="${accountPaths.home}">Back to your projects</a></p>
    `,
  })
