import { hiddenFields } from '../../../pages/button-form.ts'
import { type Html, html } from '../../../pages/markup.ts'
import { emailText } from '../../../pages/person.ts'
import { accountPaths } from '../../paths.ts'
import type { Frame } from '../console.ts'
import type { ProjectUser } from './user-table.ts'

/** Confirmed by a check box, so that no user is deleted by one wrong press. */
export const deleteUserSection = (
  { csrf, project }: Frame,
  { id, email }: Pick<ProjectUser, 'id' | 'email'>,
  unconfirmed: boolean,
): Html => html`<section class="danger" aria-label="Delete this user">
    <p>This ends the user’s sessions and deletes what is stored about them. Events stay without user id, email address and return path. If they sign in again, they are a new user. Deletion can’t be undone.</p>
    <form method="post" action="${accountPaths.deleteUser(project.tenantId, id)}">
      ${hiddenFields({ csrf })}
      <label class="check"><input type="checkbox" name="confirm" value="yes" required${
        unconfirmed && html` autofocus aria-invalid="true" aria-describedby="confirm-problem"`
      }> <span>Delete ${emailText(email)} permanently</span></label>
      ${unconfirmed && html`<p class="problem" id="confirm-problem" role="alert">Check the box to confirm. Nothing was deleted.</p>`}
      <button class="danger">Delete user</button>
    </form>
  </section>`
