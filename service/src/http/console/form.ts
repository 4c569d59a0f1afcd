import type { ApiError } from '../../domain/api-error.ts'
import type { Context } from '../../operations/context.ts'
import { type CookieKind, readSealedCookie, setSealedCookie } from '../callers/cookies.ts'
import { requireSameOrigin } from '../callers/same-origin.ts'
import * as sessions from '../callers/sessions.ts'
import type { App, Call, HttpDependencies } from '../dependencies.ts'
import { ENGLISH, type Language } from '../pages/languages/language.ts'
import { problemOf } from '../problem.ts'
import { readForm, readUploadForm } from '../request/body.ts'
import { languageOf } from '../request/language.ts'
import { pageProblem } from '../responses.ts'
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
  readonly owner: sessions.SignedInOwner
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
      return await handle(c, language)
    } catch (error) {
      return pageProblem(deps, c, error, language)
    }
  })
}

/** Registers a page for the signed-in owner. Without a session it redirects to the sign-in page, and from there back. */
export function ownerPage(
  app: App,
  deps: HttpDependencies,
  path: string,
  handle: (c: Call, owner: sessions.SignedInOwner) => Response | Promise<Response>,
): void {
  pageRoute(app, deps, 'GET', path, async (c) => {
    const owner = await sessions.signedInOwner(deps.ctx, c)
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
    const owner = await sessions.signedInOwner(deps.ctx, c)
    if (owner === null) return c.redirect(accountPaths.home, 303)
    owner.requireCsrf(form.get('csrf') ?? '', ACCOUNT_FORMS)
    if (deps.ctx.listing !== deps.ctx.stores) setSealedCookie(c, deps.ctx.baseUrl, CHANGED, Uint8Array.of(1))
    return handle(c, { owner, form, file })
  })
}

/** This browser reads its own changes from the primary for longer than a replica that is used may lag (storage/timing.ts). */
const CHANGED: CookieKind = { name: 'gatehouse_changed', seconds: 10 }

/** For lists and charts, which may be read from a replica. */
export const listingContext = (ctx: Context, c: Call): Context =>
  readSealedCookie(c, ctx.baseUrl, CHANGED) === null ? { ...ctx, stores: ctx.listing } : ctx

/** What the owner sent, without secrets, and what the error says about it. */
export function rejectedForm(
  id: string,
  form: URLSearchParams,
  error: ApiError,
  field?: string,
  secrets: readonly string[] = [],
): RejectedForm {
  for (const name of ['csrf', ...secrets]) form.delete(name)
  return { id, form, status: problemOf(error).status, ...problemsOf(error, field) }
}

/**
 * Redirects to the page of a rejected form, which shows it again: the browser's Back and Reload then repeat no POST. null: it
 * is too long for the cookie that keeps it.
 */
export function redirectRejected(
  { ctx }: HttpDependencies,
  c: Call,
  owner: sessions.SignedInOwner,
  path: string,
  { form, ...rejected }: RejectedForm,
): Response | null {
  const kept = JSON.stringify({ ...rejected, form: String(form) })
  return sessions.keepForDisplay(ctx, c, owner, path, kept, sessions.REJECTED_FORM) ? c.redirect(path, 303) : null
}

/** null: the last form on this page was accepted. */
export function takeRejected(
  { ctx }: HttpDependencies,
  c: Call,
  owner: sessions.SignedInOwner,
  path: string,
): RejectedForm | null {
  const kept = sessions.takeRejectedForm(ctx, c, owner, path)
  if (kept === null) return null
  const { form, ...rejected } = JSON.parse(kept) as Omit<RejectedForm, 'form'> & { readonly form: string }
  return { ...rejected, form: new URLSearchParams(form) }
}

/** The id in a form field. Anything but digits becomes -1, which no row has. */
export const idField = (value: string | null): number => (/^\d{1,15}$/.test(value ?? '') ? Number(value) : -1)
