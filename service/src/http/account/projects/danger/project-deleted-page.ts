import { layout } from '../../../pages/layout.ts'
import { type Html, html } from '../../../pages/markup.ts'
import type { Operator } from '../../../pages/operator.ts'
import { displayText, formatNumber } from '../../../pages/text.ts'
import { accountPaths } from '../../paths.ts'

export interface DeletedProject {
  readonly tenantId: string
  /** Still to be erased, in steps. */
  readonly rowsLeft: number
  /** How many there were when the owner came to the page. */
  readonly rowsTotal: number
  readonly operator: Operator
}

/** The result of a deletion. While rows are left, the page reloads itself. */
export const projectDeletedPage = ({ tenantId, rowsLeft, rowsTotal, operator }: DeletedProject): Html =>
  layout({
    kind: 'card',
    operator,
    title: rowsLeft > 0 ? 'Deleting the project' : 'Project deleted',
    body: html`
      <h1>${rowsLeft > 0 ? 'Deleting the project…' : 'Project deleted'}</h1>
      <p><code class="tenant">${displayText(tenantId)}</code> is deleted, with its users, sessions, history, settings and keys. Users can no longer sign in, and its key file no longer works.</p>
      ${rowsLeft > 0 ? progress(rowsLeft, rowsTotal) : rowsTotal > 0 && html`<p role="status">Everything is erased.</p>`}
      <p class="actions"><a class="button" href="${accountPaths.home}">Back to your projects</a></p>
    `,
  })

const progress = (rowsLeft: number, rowsTotal: number): Html => html`
  <p role="status">It was large: ${formatNumber(rowsLeft)} of ${formatNumber(rowsTotal)} rows are left. They are unreadable already, and are erased within minutes.</p>
  <progress class="wide" max="${rowsTotal}" value="${rowsTotal - rowsLeft}" aria-label="Erased rows"></progress>
  <p class="aside">This page reloads itself. You can leave it: the deletion goes on.</p>`
