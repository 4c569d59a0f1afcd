import { ApiError, invalidRequest } from '../../../domain/api-error.ts'
import { createProject } from '../../../operations/tenants/create-tenant.ts'
import { type SignedInOwner, signedInOwner } from '../../callers/account-session.ts'
import { keepForDisplay } from '../../callers/shown-secret-cookie.ts'
import type { App, Call, HttpDependencies } from '../../dependencies.ts'
import { problemOf } from '../../problem.ts'
import { scriptedPage } from '../../responses.ts'
import { newTenantView } from '../../views.ts'
import { ACCOUNT_FORMS, ownerPost, pageRoute } from '../form.ts'
import { accountPaths } from '../paths.ts'
import { keyFileOf } from './keys/key-file.ts'
import { newProjectPage } from './new-project-page.ts'
import type { RejectedForm } from './settings/form-state.ts'
import { listField, problemsOf } from './settings/section-form.ts'

const NONCE = /^[A-Za-z0-9_-]{22}$/

/** The page that creates a project. */
export function newProjectRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  pageRoute(app, deps, 'GET', accountPaths.newProject, async (c) => {
    const owner = await signedInOwner(ctx, c)
    if (owner === null)
      return c.redirect(`${accountPaths.home}?next=${encodeURIComponent(accountPaths.newProject)}`, 303)
    return show(deps, c, owner, null, 200)
  })

  ownerPost(app, deps, accountPaths.newProject, async (c, { owner, form }) => {
    try {
      const created = await createProject(ctx, {
        account: owner.session.account,
        name: form.get('name') ?? '',
        callbackUrls: listField(form, 'callback_urls'),
        nonce: nonceOf(form),
        requestId: c.get('requestId'),
      })
      const { id } = created.tenant
      if (!created.repeated) {
        keepForDisplay(ctx, c, owner, keyFileOf(id), newTenantView(ctx.baseUrl, created).credentials_file.content)
      }
      return c.redirect(accountPaths.newKeys(id), 303)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return show(deps, c, owner, { id: 'new-project', form, ...problemsOf(error) }, problemOf(error).status)
    }
  })
}

function show(
  { ctx, operator }: HttpDependencies,
  c: Call,
  owner: SignedInOwner,
  rejected: RejectedForm | null,
  status: number,
): Response {
  const nonce = Buffer.from(ctx.random(16)).toString('base64url')
  return scriptedPage(c, newProjectPage({ operator, csrf: owner.csrf(ACCOUNT_FORMS), nonce, rejected }), status)
}

function nonceOf(form: URLSearchParams): string {
  const nonce = form.get('nonce') ?? ''
  if (NONCE.test(nonce)) return nonce
  throw invalidRequest('Reload this page, and press the button again.', [])
}
