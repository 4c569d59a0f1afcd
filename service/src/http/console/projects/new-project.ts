import { ApiError, invalidRequest } from '../../../domain/api-error.ts'
import { PROJECT_NAME_MAX_CHARACTERS } from '../../../domain/tenants/tenant.ts'
import { createProject } from '../../../operations/tenants/create-tenant.ts'
import { keepForDisplay, type SignedInOwner } from '../../callers/sessions.ts'
import type { App, Call, HttpDependencies } from '../../dependencies.ts'
import { hiddenFields } from '../../pages/fields.ts'
import { type Html, html } from '../../pages/markup.ts'
import { scriptedPage } from '../../responses.ts'
import { newTenantView } from '../../views.ts'
import * as fields from '../fields.ts'
import {
  ACCOUNT_FORMS,
  ownerPage,
  ownerPost,
  redirectRejected,
  rejectedForm,
  takeRejected,
} from '../form.ts'
import { FormState, type RejectedForm } from '../form-state.ts'
import { accountLayout } from '../layout.ts'
import { accountPaths } from '../paths.ts'
import { keyFileOf } from './new-keys.ts'
import type { Frame } from './project-page.ts'

const FIELDS = {
  name: fields.text({
    label: 'Name',
    hint: `Only you see it. At most ${PROJECT_NAME_MAX_CHARACTERS} characters; you can leave it empty.`,
  }),
  callback_urls: fields.lines({
    label: 'Callback URLs, one per line',
    hint: 'Where users return to in your app after signing in, such as `http://localhost:3000/auth/callback`. You can change them later.',
    required: true,
  }),
}

const NONCE = /^[A-Za-z0-9_-]{22}$/

/** The page that creates a project. */
export function newProjectRoute(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  ownerPage(app, deps, accountPaths.newProject, (c, owner) =>
    show(deps, c, owner, takeRejected(deps, c, owner, accountPaths.newProject)),
  )

  ownerPost(app, deps, accountPaths.newProject, async (c, { owner, form }) => {
    try {
      const created = await createProject(ctx, {
        account: owner.session.account,
        name: form.get('name') ?? '',
        callbackUrls: fields.listField(form, 'callback_urls'),
        nonce: nonceOf(form),
        requestId: c.get('requestId'),
      })
      const { id } = created.tenant
      if (!created.repeated) {
        keepForDisplay(
          ctx,
          c,
          owner,
          keyFileOf(id),
          newTenantView(ctx.baseUrl, created).credentials_file.content,
        )
      }
      return c.redirect(accountPaths.newKeys(id), 303)
    } catch (error) {
      if (!(error instanceof ApiError)) {
        throw error
      }
      const rejected = rejectedForm('new-project', form, error)
      return (
        redirectRejected(deps, c, owner, accountPaths.newProject, rejected) ??
        show(deps, c, owner, rejected)
      )
    }
  })
}

function show(
  { ctx, operator }: HttpDependencies,
  c: Call,
  owner: SignedInOwner,
  rejected: RejectedForm | null,
): Response {
  const nonce = Buffer.from(ctx.random(16)).toString('base64url')
  const page = newProjectPage({ operator, csrf: owner.csrf(ACCOUNT_FORMS), nonce, rejected })
  return scriptedPage(c, page, rejected?.status ?? 200)
}

function nonceOf(form: URLSearchParams): string {
  const nonce = form.get('nonce') ?? ''
  if (NONCE.test(nonce)) {
    return nonce
  }
  throw invalidRequest('Reload this page, and press the button again.', [])
}

interface NewProject extends Pick<Frame, 'operator' | 'csrf'> {
  /** Identifies this page: its button creates one project, however often it is pressed. */
  readonly nonce: string
  readonly rejected: RejectedForm | null
}

/** `/account/new-project`. */
export function newProjectPage({ operator, csrf, nonce, rejected }: NewProject): Html {
  const form = new FormState('new-project', rejected, Object.keys(FIELDS))
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
          ${Object.entries(FIELDS).map(([name, field]) => field.show(form, name, ''))}
          <button>Create project</button>
        </form>
      </section>
      <p class="aside">The next page shows the key file of the project, for your app or your coding agent.</p>`,
  })
}
