import { hiddenFields } from '../../../pages/button-form.ts'
import { type Html, html } from '../../../pages/markup.ts'
import { displayText } from '../../../pages/text.ts'
import { accountPaths } from '../../paths.ts'
import { consolePage, type Frame } from '../console.ts'

export interface Danger {
  /** The owner asked to delete the project but typed another id. */
  readonly wrongConfirmation: boolean
}

/** `/account/projects/:tenantId/danger`. */
export const dangerPage = (frame: Frame, danger: Danger): Html =>
  consolePage(
    frame,
    'danger',
    html`
      <h2>Delete this project</h2>
      ${deleteProject(frame, danger)}
    `,
  )

/** Confirmed by typing the id, so that no project is deleted by mistake. */
const deleteProject = ({ csrf, project: { tenantId } }: Frame, { wrongConfirmation }: Danger): Html => html`
  <section class="danger">
    <p>This deletes its users, sessions, history, settings and keys immediately. Users can no longer sign in. Deletion can’t be undone.</p>
    <form method="post" action="${accountPaths.deleteProject(tenantId)}">
      ${hiddenFields({ csrf })}
      <label for="confirm">To confirm, type <code class="tenant">${displayText(tenantId)}</code></label>
      <input id="confirm" name="confirm" type="text" required autocomplete="off" autocapitalize="none" spellcheck="false"${
        wrongConfirmation && html` autofocus aria-invalid="true" aria-describedby="confirm-problem"`
      }>
      ${
        wrongConfirmation &&
        html`<p class="problem" id="confirm-problem" role="alert">That isn’t the id of this project. Nothing was deleted.</p>`
      }
      <button class="danger">Delete permanently</button>
    </form>
  </section>`
