import { type SignedInOwner, signedInOwner } from '../callers/account-session.ts'
import { requireSameOrigin } from '../callers/same-origin.ts'
import type { App, Call, HttpDependencies } from '../dependencies.ts'
import { readForm } from '../request/body.ts'
import { pageProblem } from '../responses.ts'

/** What the forms on the account pages are about, for their token. */
export const ACCOUNT_FORMS = 'account'

export interface OwnersPost {
  readonly owner: SignedInOwner
  readonly form: URLSearchParams
}

/** A page that speaks for itself when something goes wrong. */
export function pageRoute(
  app: App,
  deps: HttpDependencies,
  method: 'GET' | 'POST',
  path: string,
  handle: (c: Call) => Promise<Response>,
): void {
  app.on(method, path, async (c) => {
    c.set('route', path)
    try {
      return await handle(c)
    } catch (error) {
      return pageProblem(deps, c, error)
    }
  })
}

/**
 * A button on an account page. Whoever is not signed in is sent to sign in; a post that did not come from our own page,
 * shown to this very session, is refused.
 */
export function ownersPost(
  app: App,
  deps: HttpDependencies,
  path: string,
  handle: (c: Call, post: OwnersPost) => Promise<Response>,
): void {
  pageRoute(app, deps, 'POST', path, async (c) => {
    requireSameOrigin(c, deps.ctx.baseUrl)
    const form = await readForm(c)
    const owner = await signedInOwner(deps.ctx, c)
    if (owner === null) return c.redirect('/account', 303)
    owner.requireCsrf(form.get('csrf') ?? '', ACCOUNT_FORMS)
    return handle(c, { owner, form })
  })
}

/** The number a button carries. Anything else names nothing, and nothing is what happens. */
export const wholeNumber = (value: string | null): number => (/^\d{1,15}$/.test(value ?? '') ? Number(value) : -1)
