import { KEY_REPLACEMENTS } from '../../../operations/tenants/key-replacement.ts'
import { hiddenFields } from '../../pages/button-form.ts'
import { type Html, html } from '../../pages/markup.ts'
import { displayText } from '../../pages/text.ts'
import { keyChoices } from '../key-choice.ts'
import { accountPaths } from '../paths.ts'

export interface ReplaceKeys {
  readonly csrf: string
  readonly tenantId: string
  /** Which keys the button replaces: it works once, however often it is pressed. */
  readonly keyGeneration: number
}

export const replaceKeys = ({ csrf, tenantId, keyGeneration }: ReplaceKeys): Html => html`
  <p>Anyone with the key file can manage this project. If someone else may have seen it, replace the keys. The new file is shown once.</p>
  <form method="post" action="${accountPaths.replaceKeys(tenantId)}">
    ${hiddenFields({ csrf, generation: keyGeneration })}
    ${keyChoices('How soon', KEY_REPLACEMENTS)}
    <button class="quiet">Replace keys</button>
  </form>`

export interface DeleteProject {
  readonly csrf: string
  readonly tenantId: string
  readonly wrongConfirmation?: boolean
}

/** Folded, and confirmed by typing the id, so that no project is deleted by mistake. */
export const deleteProject = ({ csrf, tenantId, wrongConfirmation = false }: DeleteProject): Html => html`
  <details class="danger"${wrongConfirmation && html` open`}>
    <summary>Delete this project</summary>
    <p>This deletes its users, sessions, history, settings and keys immediately. Users can no longer sign in. Deletion can’t be undone.</p>
    <form method="post" action="${accountPaths.deleteProject(tenantId)}">
      ${hiddenFields({ csrf })}
      <label for="confirm">To confirm, type <code class="tenant">${displayText(tenantId)}</code></label>
      <input id="confirm" name="confirm" type="text" required autocomplete="off" autocapitalize="none" spellcheck="false"${
        wrongConfirmation && html` aria-invalid="true" aria-describedby="confirm-problem"`
      }>
      ${
        wrongConfirmation &&
        html`<p class="problem" id="confirm-problem" role="alert">That isn’t the id of this project. Nothing was deleted.</p>`
      }
      <button class="danger">Delete permanently</button>
    </form>
  </details>`
