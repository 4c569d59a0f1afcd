import { invalidRequest } from '../../../domain/api-error.ts'
import { deleteTenant, readTenantDeletion } from '../../../operations/tenants/end-tenant.ts'
import type { App, HttpDependencies } from '../../dependencies.ts'
import { layout } from '../../pages/layout.ts'
import { type Html, html } from '../../pages/markup.ts'
import type { Operator } from '../../pages/operator.ts'
import { displayText, formatNumber } from '../../pages/text.ts'
import { page } from '../../responses.ts'
import { consoleForm, formElement } from '../console-form.ts'
import { consolePage } from '../console-page.ts'
import * as fields from '../fields.ts'
import { idField, ownerPage } from '../form.ts'
import { accountPaths, below, withQuery } from '../paths.ts'

const deleteForm = consoleForm({
  path: below(accountPaths.danger, 'delete'),
  button: 'Delete permanently',
  fields: {
    confirm: fields.text({
      label: 'To confirm, type the id of this project',
      required: true,
    }),
  },
  async run({ ctx, tenant, author }, { confirm }) {
    const problem = 'That isn’t the id of this project. Nothing was deleted.'
    if (confirm !== tenant.id) {
      throw invalidRequest(problem, [{ path: 'confirm', problem }])
    }
    return deleteTenant(ctx, tenant, author)
  },
  outcome: (rowsLeft, { c, tenant }) =>
    c.redirect(
      withQuery(accountPaths.deletion(tenant.id), { of: rowsLeft > 0 ? rowsLeft : undefined }),
      303,
    ),
})

/** The tab "Danger". Confirmed by typing the id, so that no project is deleted by mistake. */
export const dangerRoute = consolePage({
  path: accountPaths.danger,
  tab: 'danger',
  forms: [deleteForm],
  load: async () => null,
  view: (frame) => html`
    <h2>Delete this project</h2>
    <section class="danger">
      <p>This deletes <code class="tenant">${displayText(frame.project.tenantId)}</code> with its users, sessions, history, settings and keys immediately. Users can no longer sign in. Deletion can’t be undone.</p>
      ${formElement(deleteForm, frame, { button: { variant: 'danger' } })}
    </section>`,
})

/** How often the page asks again. The sweep erases in steps, once a minute. */
const RELOAD_SECONDS = 5

/** What is left of a large project after its deletion. The project's own pages are gone. */
export function deletionRoute(app: App, deps: HttpDependencies): void {
  const { ctx, operator } = deps

  ownerPage(app, deps, accountPaths.deletion.route, async (c, owner) => {
    const tenantId = c.req.param('tenantId') ?? ''
    const rowsLeft = await readTenantDeletion(ctx, owner.session.account, tenantId)
    // A header, because it needs no script and no element that assistive technology would announce.
    if (rowsLeft > 0) {
      c.header('Refresh', String(RELOAD_SECONDS))
    }
    const rowsTotal = Math.max(idField(c.req.query('of') ?? null), rowsLeft)
    return page(c, projectDeletedPage({ tenantId, rowsLeft, rowsTotal, operator }))
  })
}

interface DeletedProject {
  readonly tenantId: string
  /** Still to be erased, in steps. */
  readonly rowsLeft: number
  /** How many there were when the owner came to the page. */
  readonly rowsTotal: number
  readonly operator: Operator
}

/** The result of a deletion. While rows are left, the page reloads itself. */
export const projectDeletedPage = ({
  tenantId,
  rowsLeft,
  rowsTotal,
  operator,
}: DeletedProject): Html =>
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
  <p role="status">${formatNumber(rowsLeft)} of ${formatNumber(rowsTotal)} rows are still to be erased, which takes minutes. They can’t be read anymore.</p>
  <progress class="wide" max="${rowsTotal}" value="${rowsTotal - rowsLeft}" aria-label="Erased rows"></progress>
  <p class="aside">This page reloads itself. You can close it: the deletion continues.</p>`
