import type { ApiErrorCode } from '@gatehouse/contract'
import { ApiError, type InputProblem } from '../../../domain/api-error.ts'
import type { Call } from '../../dependencies.ts'
import { type Html, html } from '../../pages/markup.ts'
import { problemOf } from '../../problem.ts'
import type { OwnerPost } from '../form.ts'
import { statusNotice } from '../layout.ts'
import { accountPaths } from '../paths.ts'
import type { OwnedProject } from '../projects/project-route.ts'
import type { RejectedForm } from './form-state.ts'

/** The sections of the settings, in the order of the page. Their names are the anchors. */
const SECTIONS = {
  name: 'Name',
  callbacks: 'Callback URLs',
  access: 'Who can sign in',
  logins: 'Logins',
  brand: 'Branding',
  domains: 'Domains',
  providers: 'Sign-in providers',
  webhooks: 'Webhooks',
} as const

type SectionName = keyof typeof SECTIONS

/** The result of the last action, shown in its section. */
export interface SectionNotice {
  readonly section: SectionName
  readonly message: string
}

export const settingsSection = (name: SectionName, notice: SectionNotice | undefined, body: Html): Html =>
  html`<section class="card setting" id="${name}">
    <h2>${SECTIONS[name]}</h2>
    ${statusNotice(notice?.section === name ? notice.message : undefined)}
    ${body}
  </section>`

/** Links to the sections: the page is long. */
export const sectionLinks = (tenantId: string): Html =>
  html`<nav class="section-links" aria-label="Settings">${Object.entries(SECTIONS).map(
    ([name, title]) => html`<a href="${accountPaths.settings(tenantId)}#${name}">${title}</a>`,
  )}</nav>`

/** Instead of a section that needs social login. */
export const afterCallbacks = html`<p class="none">Available after you register a callback URL.</p>`

type Post = OwnedProject & OwnerPost

/** Shows the page of a form again, with this status. */
export type ShowAgain = (c: Call, project: OwnedProject, rejected: RejectedForm, status: number) => Promise<Response>

/** The fields that errors without a path are about. */
type ErrorFields = Partial<Record<ApiErrorCode, string>>

/**
 * Handles the POST of a form. `act` returns the page to redirect to. An API error shows the form again: with its status,
 * its message at the field that it names, and everything that the owner entered.
 */
export const formHandler =
  (id: string, show: ShowAgain, act: (c: Call, post: Post) => Promise<string>, fields: ErrorFields = {}) =>
  async (c: Call, post: Post): Promise<Response> => {
    try {
      return c.redirect(await act(c, post), 303)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const { status, headers } = problemOf(error)
      for (const [name, value] of Object.entries(headers)) c.header(name, value)
      const { owner, tenant, form } = post
      const rejected = { id, form, ...problemsOf(error, fields[error.code]) }
      return show(c, { owner, tenant }, rejected, status)
    }
  }

/** The message of an error that is about one field is shown there. */
export function problemsOf({ message, details }: ApiError, field?: string): Pick<RejectedForm, 'message' | 'problems'> {
  const given = (details?.problems as readonly InputProblem[] | undefined) ?? []
  const problems = field === undefined ? given : [{ path: field, problem: message }]
  return {
    message: field === undefined ? forOwners(message) : 'Nothing was changed.',
    problems: problems.map(({ path, problem }) => ({ path, problem: forOwners(problem) })),
  }
}

/** The API's words, for a person: a tenant is a project, and a form is not an endpoint. */
const forOwners = (message: string): string =>
  message
    .replace(/^The request does not fit this endpoint\. /, '')
    .replaceAll(/\b([Tt])enant/g, (_, first: string) => (first === 'T' ? 'Project' : 'project'))

/** Anything but a number is validated as text, and so rejected with the API's message. */
export const numberField = (text: string | null): number | string =>
  text !== null && /^\d{1,15}$/.test(text.trim()) ? Number(text) : (text ?? '')

/** The lines of a list without empty ones. The form is shown again with the same lines, so that a problem can name one. */
export function listField(form: URLSearchParams, name: string): string[] {
  const lines = (form.get(name) ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  form.set(name, lines.join('\n'))
  return lines
}
