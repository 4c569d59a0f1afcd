import { buttonForm, hiddenFields } from '../../pages/button-form.ts'
import { type Html, html } from '../../pages/markup.ts'
import { displayText } from '../../pages/text.ts'
import { accountPaths } from '../paths.ts'

export interface ReplaceKeys {
  readonly csrf: string
  readonly tenantId: string
}

export const replaceKeys = ({ csrf, tenantId }: ReplaceKeys): Html => html`
  <p>Whoever holds the key file controls this project. If somebody else may have seen it, replace the keys: you get a new file once, and the old keys work for 24 more hours, so that your agent can change over.</p>
  ${buttonForm({ action: accountPaths.replaceKeys(tenantId), csrf, label: 'Replace keys', variant: 'quiet' })}`

export interface DeleteProject {
  readonly csrf: string
  readonly tenantId: string
  readonly wrongConfirmation?: boolean
}

/** Folded, so that nobody meets it by accident; the id is typed, so that nobody deletes the wrong one. */
export const deleteProject = ({ csrf, tenantId, wrongConfirmation = false }: DeleteProject): Html => html`
  <details class="danger"${wrongConfirmation && html` open`}>
    <summary>Delete this project</summary>
    <p>Its people, sessions, history, settings and keys are removed at once, and nobody can sign in to it any more. This cannot be undone.</p>
    <form method="post" action="${accountPaths.deleteProject(tenantId)}">
      ${hiddenFields({ csrf })}
      <label for="confirm">To confirm, type <code class="tenant">${displayText(tenantId)}</code></label>
      <input id="confirm" name="confirm" type="text" required autocomplete="off" autocapitalize="none" spellcheck="false"${
        wrongConfirmation && html` aria-invalid="true" aria-describedby="confirm-problem"`
      }>
      ${
        wrongConfirmation &&
        html`<p class="problem" id="confirm-problem" role="alert">That was not the id of this project. Nothing was deleted.</p>`
      }
      <button class="danger">Delete for ever</button>
    </form>
  </details>`
