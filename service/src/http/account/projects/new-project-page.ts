import { PROJECT_NAME_MAX_CHARACTERS } from '../../../domain/tenants/tenant.ts'
import { hiddenFields } from '../../pages/button-form.ts'
import { textArea, textField } from '../../pages/fields.ts'
import { type Html, html } from '../../pages/markup.ts'
import type { Operator } from '../../pages/operator.ts'
import { accountLayout } from '../layout.ts'
import { accountPaths } from '../paths.ts'
import { FormState, type RejectedForm } from './settings/form-state.ts'

export interface NewProject {
  readonly operator: Operator
  readonly csrf: string
  /** Of this page: its button creates one project, however often it is pressed. */
  readonly nonce: string
  readonly rejected: RejectedForm | null
}

/** `/account/new-project`. */
export function newProjectPage({ operator, csrf, nonce, rejected }: NewProject): Html {
  const form = new FormState('new-project', rejected, ['name', 'callback_urls'])
  return accountLayout({
    operator,
    title: 'New project',
    csrf,
    body: html`
      <h1>New project</h1>
      <p class="lead">A project is the sign-in of one app: its users, settings and keys.</p>
      <section class="card">
        <form method="post" action="${accountPaths.newProject}">
          ${hiddenFields({ csrf, nonce })}
          ${form.message}
          ${textField({ ...form.field('name', ''), label: 'Name', hint: `Only you see it. At most ${PROJECT_NAME_MAX_CHARACTERS} characters; you can leave it empty.` })}
          ${textArea({
            ...form.field('callback_urls', ''),
            label: 'Callback URLs, one per line',
            hint: html`Where users return to in your app after signing in, such as <code>http://localhost:3000/auth/callback</code>. You can change them later.`,
            rows: 3,
            required: true,
          })}
          <button>Create project</button>
        </form>
      </section>
      <p class="aside">The next page shows the key file of the project, for your app or your coding agent.</p>`,
  })
}
