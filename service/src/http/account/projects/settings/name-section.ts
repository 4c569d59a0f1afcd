import { PROJECT_NAME_MAX_CHARACTERS } from '../../../../domain/tenants/tenant.ts'
import { hiddenFields } from '../../../pages/button-form.ts'
import { textField } from '../../../pages/fields.ts'
import { type Html, html } from '../../../pages/markup.ts'
import { accountPaths } from '../../paths.ts'
import type { Frame } from '../console.ts'
import { FormState, type RejectedForm } from './form-state.ts'

/** What the owner calls the project. */
export function nameSection({ csrf, project }: Frame, rejected: RejectedForm | null): Html {
  const form = new FormState('name', rejected, ['name'])
  return html`
    <form method="post" action="${accountPaths.renameProject(project.tenantId)}">
      ${hiddenFields({ csrf })}
      ${form.message}
      ${textField({
        ...form.field('name', project.ownName ?? ''),
        label: 'Name of the project',
        hint: `Only you see it. At most ${PROJECT_NAME_MAX_CHARACTERS} characters. Without a name, the project is called by its brand, its host or its id.`,
      })}
      <button class="small">Save name</button>
    </form>`
}
