import { ApiError } from '../../domain/api-error.ts'
import { requireSameOrigin } from '../callers/same-origin.ts'
import {
  keepForDisplay,
  REJECTED_FORM,
  type SignedInOwner,
  signedInOwner,
  takeRejectedForm,
} from '../callers/sessions.ts'
import type { App, Call, HttpDependencies } from '../dependencies.ts'
import { ENGLISH, inLanguage, type Language } from '../pages/languages/language.ts'
import { problemOf } from '../problem.ts'
import { readForm, readUploadForm } from '../request/body.ts'
import { languageOf } from '../request/language.ts'
import { type FailedRequest, formPage, pageProblem, thisRequest, wantsPage } from '../responses.ts'
import { problemsOf, type RejectedForm } from './form-state.ts'
import { accountPaths, signInThenOpen } from './paths.ts'

/** The purpose that the CSRF tokens of the account pages are bound to. */
export const ACCOUNT_FORMS = 'account'

export interface FormOptions {
  readonly maxBytes?: number
  /** The largest upload of a form with a file. */
  readonly fileMaxBytes?: number
}

export interface OwnerPost {
  readonly owner: SignedInOwner
  readonly form: URLSearchParams
  /** null: none was sent. */
  readonly file: Uint8Array | null
}

/** Registers a page for owners, in English. Errors become error pages. */
export function pageRoute(
  app: App,
  deps: HttpDependencies,
  method: 'GET' | 'POST',
  path: string,
  handle: (c: Call) => Promise<Response>,
): void {
  translatedRoute(app, deps, method, path, handle, () => ENGLISH)
}

/** Registers a page in the language of the person. Errors become error pages in this language. */
export function translatedRoute(
  app: App,
  deps: HttpDependencies,
  method: 'GET' | 'POST',
  path: string,
  handle: (c: Call, language: Language) => Promise<Response>,
  languageFor: (c: Call) => Language | Promise<Language> = languageOf,
): void {
  app.on(method, path, async (c) => {
    c.set('route', path)
    const language = await languageFor(c)
    try {
      const refused = method === 'GET' ? takeRefused(deps, c) : null
      if (refused !== null) {
        return pageProblem(deps, c, refused.error, language, null, refused.request)
      }
      return await handle(c, language)
    } catch (error) {
      const to = method === 'POST' ? formPage(c.req.path) : null
      const redirected =
        to === null ? null : redirectRefused(deps, c, error, inLanguage(language, to))
      return redirected ?? pageProblem(deps, c, error, language)
    }
  })
}

/** The cookie is of this browser, on whatever page. */
const ANYONE = { session: null }

const FOREIGN: ReadonlySet<string> = new Set([
  'decisionNotOurs',
  'loginOtherBrowser',
  'linkOtherBrowser',
])

/**
 * Redirects from a refused POST to the page of its form, which shows the error once: the browser's Back and Reload repeat no
 * POST. null: the response is the error itself. That is so for a program, which reads it; for a failure of the service (5xx),
 * where the next request may fail, too; for a body that was not read (413, 415); for a form that may be another site's or
 * another browser's, which gets no cookie; and for an error that is too long for one.
 */
export function redirectRefused(
  { ctx }: HttpDependencies,
  c: Call,
  error: unknown,
  to: string,
): Response | null {
  if (!wantsPage(c) || !(error instanceof ApiError) || FOREIGN.has(error.code)) {
    return null
  }
  const { status } = problemOf(error)
  if (status >= 500 || status === 413 || status === 415) {
    return null
  }
  const { code, message, details, retryAfterSeconds, tenantEndsAt } = error
  const kept = {
    code,
    message,
    options: { details, retryAfterSeconds, tenantEndsAt },
    request: thisRequest(c),
  }
  const path = to.replace(/\?.*/s, '')
  const isKept = keepForDisplay(ctx, c, ANYONE, path, JSON.stringify(kept), REJECTED_FORM)
  return isKept ? c.redirect(to, 303) : null
}

/** null: no POST was refused a moment ago. */
function takeRefused(
  { ctx }: HttpDependencies,
  c: Call,
): { error: ApiError; request: FailedRequest } | null {
  const kept = takeRejectedForm(ctx, c, ANYONE, c.req.path)
  if (kept === null) {
    return null
  }
  const { code, message, options, request } = JSON.parse(kept)
  return { error: new ApiError(code, message, options), request }
}

/** Registers a page for the signed-in owner. Without a session it redirects to the sign-in page, and from there back. */
export function ownerPage(
  app: App,
  deps: HttpDependencies,
  path: string,
  handle: (c: Call, owner: SignedInOwner) => Response | Promise<Response>,
): void {
  pageRoute(app, deps, 'GET', path, async (c) => {
    const owner = await signedInOwner(deps.ctx, c)
    return owner === null ? c.redirect(signInThenOpen(c.req.path), 303) : handle(c, owner)
  })
}

/**
 * Registers the POST of a form on an account page. Without a session it redirects to the sign-in page; a request from
 * another origin, or without the CSRF token of this session, is rejected.
 */
export function ownerPost(
  app: App,
  deps: HttpDependencies,
  path: string,
  handle: (c: Call, post: OwnerPost) => Promise<Response>,
  { maxBytes, fileMaxBytes }: FormOptions = {},
): void {
  pageRoute(app, deps, 'POST', path, async (c) => {
    requireSameOrigin(c, deps.ctx.baseUrl)
    const { form, file } =
      fileMaxBytes === undefined
        ? { form: await readForm(c, maxBytes), file: null }
        : await readUploadForm(c, fileMaxBytes)
    const owner = await signedInOwner(deps.ctx, c)
    if (owner === null) {
      return c.redirect(accountPaths.home, 303)
    }
    owner.requireCsrf(form.get('csrf') ?? '', ACCOUNT_FORMS)
    return handle(c, { owner, form, file })
  })
}

/** What the owner sent, without secrets, and what the error says about it. */
export function rejectedForm(
  id: string,
  form: URLSearchParams,
  error: ApiError,
  field?: string,
  secrets: readonly string[] = [],
): RejectedForm {
  for (const name of ['csrf', ...secrets]) {
    form.delete(name)
  }
  return { id, form, status: problemOf(error).status, ...problemsOf(error, field) }
}

/**
 * Redirects to the page of a rejected form, which shows it again: the browser's Back and Reload then repeat no POST. null: it
 * is too long for the cookie that keeps it.
 */
export function redirectRejected(
  { ctx }: HttpDependencies,
  c: Call,
  owner: SignedInOwner,
  path: string,
  { form, ...rejected }: RejectedForm,
): Response | null {
  const kept = JSON.stringify({ ...rejected, form: String(form) })
  return keepForDisplay(ctx, c, owner, path, kept, REJECTED_FORM) ? c.redirect(path, 303) : null
}

/** null: the last form on this page was accepted. */
export function takeRejected(
  { ctx }: HttpDependencies,
  c: Call,
  owner: SignedInOwner,
  path: string,
): RejectedForm | null {
  const kept = takeRejectedForm(ctx, c, owner, path)
  if (kept === null) {
    return null
  }
  const { form, ...rejected } = JSON.parse(kept) as Omit<RejectedForm, 'form'> & {
    readonly form: string
  }
  return { ...rejected, form: new URLSearchParams(form) }
}

/** The id in a form field. Anything but digits becomes -1, which no row has. */
export const idField = (value: string | null): number =>
  /^\d{1,15}$/.test(value ?? '') ? Number(value) : -1
