import { PROJECT_NAME_MAX_CHARACTERS } from '../../../domain/tenants/project-name.ts'
import { hiddenFields } from '../../pages/button-form.ts'
import { type Html, html } from '../../pages/markup.ts'
import { accountPaths } from '../paths.ts'
import type { Frame } from './console.ts'

/** For the settings tab. */
export const nameSection = ({ csrf, project }: Frame): Html => html`
  <form method="post" action="${accountPaths.renameProject(project.tenantId)}">
    ${hiddenFields({ csrf })}
    <label for="project-name">Only you see it. Without a name, the project is called by its brand, its host or its id.</label>
    <input id="project-name" name="name" type="text" value="${project.ownName ?? ''}" maxlength="${PROJECT_NAME_MAX_CHARACTERS}" autocomplete="off">
    <button class="quiet">Save name</button>
  </form>`
