import type { ApiErrorCode } from '@gatehouse/contract'
import type { z } from 'zod'
import { ApiError } from '../../domain/api-error.ts'
import type { Author } from '../../domain/audit.ts'
import { defined } from '../../domain/defined.ts'
import type { OwnedTenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../../operations/context.ts'
import { readDeletionProgress } from '../../operations/social-login/purge-resource.ts'
import { requireOwnedTenant } from '../../operations/tenants/require-tenant.ts'
import { describeProject } from '../../operations/tenants/status.ts'
import { ownerAuthor } from '../callers/author.ts'
import type { SignedInOwner } from '../callers/sessions.ts'
import type { App, Call, HttpDependencies } from '../dependencies.ts'
import { parseBody } from '../mount-endpoint.ts'
import { type ButtonForm, buttonForm, hiddenFields } from '../pages/fields.ts'
import { type Html, html } from '../pages/markup.ts'
import { problemOf } from '../problem.ts'
import { scriptedPage } from '../responses.ts'
import { ACCOUNT_FORMS, type FormOptions, type OwnerPost, ownerPage, ownerPost } from './form.ts'
import { FormState, problemsOf, type RejectedForm } from './form-state.ts'
import type { ItemPath, ProjectPath } from './paths.ts'
import type { Frame } from './projects/project-page.ts'

/** A request of an owner about one of their projects. */
export interface ProjectCall {
  readonly c: Call
  readonly deps: HttpDependencies
  readonly ctx: Context
  readonly owner: SignedInOwner
  readonly tenant: OwnedTenant
}

/** A posted form. The origin, the session, the CSRF token and the owner of the project are checked. */
export interface FormPost extends ProjectCall, OwnerPost {
  /** For the audit. */
  readonly author: Author
}

/** What a page says after a form was accepted: at its top, or in one of its sections. */
export interface Notice {
  readonly message: string
  /** The anchor of the section. */
  readonly section?: string
}

/** A form of a project. */
interface FormDefinition<Body extends z.ZodType, Result> {
  readonly path: ProjectPath | ItemPath
  /** The label of its button. */
  readonly button: string
  /** Names the form on its page. Needed if the page shows it again. */
  readonly id?: string
  /**
   * The fields that show their own problems. With this list, an API error shows the form again: with its status, its
   * message at the field that it names, and everything that the owner entered. Without it, an API error is a page.
   */
  readonly fields?: readonly string[]
  /** The fields that errors without a path are about. */
  readonly errorFields?: Partial<Record<ApiErrorCode, string>>
  readonly limits?: FormOptions
  /** What the API would get, and the schema by which it is checked. */
  readonly body?: Body
  readonly read?: (form: URLSearchParams) => unknown
  /** Calls the operation of the API. */
  run(post: FormPost, body: z.output<Body>): Promise<Result>
  /** Messages by the query parameter `done`. Other values show nothing, so a link can't put words on the page. */
  readonly done?: Readonly<Record<string, string>>
  /** The section of the page that shows the message. */
  readonly section?: string
  /** The message, if there are several, or a response other than the page of the form. */
  outcome?(result: Result, post: FormPost): string | Response
}

/** What pages register and show. */
interface ConsoleForm extends Omit<FormDefinition<z.ZodType, unknown>, 'body' | 'read' | 'run' | 'outcome'> {
  /** The key of a message, or a response. */
  handle(post: FormPost): Promise<string | Response>
}

export const consoleForm = <Body extends z.ZodType, Result>({
  body,
  read = () => ({}),
  run,
  outcome = () => Object.keys(form.done ?? {})[0] ?? '',
  ...form
}: FormDefinition<Body, Result>): ConsoleForm => ({
  ...form,
  async handle(post) {
    const parsed = body === undefined ? undefined : parseBody(body, read(post.form))
    return outcome(await run(post, parsed as z.output<Body>), post)
  },
})

/** Thrown by a form without `fields`: its page is shown again with this status, and says itself what is wrong. */
export class FormRejected extends Error {
  override readonly name = 'FormRejected'
  readonly status: number

  constructor(message: string, status = 400) {
    super(message)
    this.status = status
  }
}

/** What a form shows: the current values or, if it is the one that was rejected, what the owner sent. */
export const formState = ({ id = '', fields = [] }: ConsoleForm, rejected: RejectedForm | null): FormState =>
  new FormState(id, rejected, fields)

/** The form on the page of its project or, with `item`, of something in it. */
export const formElement = (
  { path, button }: ConsoleForm,
  { csrf, project }: Frame,
  { message }: FormState,
  fields: Html | readonly Html[],
  item: string | number = '',
): Html =>
  html`<form method="post" action="${path(project.tenantId, item)}">
    ${hiddenFields({ csrf })}
    ${message}
    ${fields}
    <button class="small">${button}</button>
  </form>`

interface Button extends Partial<Omit<ButtonForm, 'action' | 'csrf'>> {
  readonly item?: string | number
}

/** The form as a button. */
export const formButton = (form: ConsoleForm, { csrf, project }: Frame, { item = '', ...button }: Button = {}): Html =>
  buttonForm({ action: form.path(project.tenantId, item), csrf, label: form.button, variant: 'small', ...button })

interface PageCall extends ProjectCall {
  /** What the layout of every tab shows. */
  readonly project: Frame['project']
  readonly rejected: RejectedForm | null
  readonly notice: Notice | undefined
}

/** A page of a project. */
interface PageDefinition<Data> {
  readonly path: ProjectPath | ItemPath
  readonly forms?: readonly ConsoleForm[]
  /** After forms of other pages, by the query parameter `done`. */
  readonly notices?: Readonly<Record<string, Notice>>
  load(call: PageCall): Promise<Data>
  view(frame: Frame, data: Data): Html
  /** A status message that depends on what was read. */
  message?(data: Data, call: PageCall): string | undefined
  /** Where forms of the page may redirect to, besides this site. */
  formActions?(data: Data): readonly string[]
}

/** Registers the page and its forms. Another owner's project gives 404. */
export const consolePage =
  <Data>(page: PageDefinition<Data>) =>
  (app: App, deps: HttpDependencies): void => {
    const notices = noticesOf(page)
    ownerPage(app, deps, page.path.route, async (c, owner) => {
      const call = await projectCall(deps, c, owner)
      return show(page, call, { rejected: null, notice: notices.get(c.req.query('done') ?? '') }, 200)
    })
    for (const form of page.forms ?? []) formRoute(app, deps, page, form)
  }

/** Registers a response of a project that isn't a page of the console. */
export const projectRoute =
  ({ route }: ProjectPath, respond: (call: ProjectCall) => Promise<Response>) =>
  (app: App, deps: HttpDependencies): void =>
    ownerPage(app, deps, route, async (c, owner) => respond(await projectCall(deps, c, owner)))

const projectCall = async (deps: HttpDependencies, c: Call, owner: SignedInOwner): Promise<ProjectCall> => ({
  c,
  deps,
  ctx: deps.ctx,
  owner,
  tenant: await requireOwnedTenant(deps.ctx, owner.session.account, c.req.param('tenantId') ?? ''),
})

function noticesOf({
  forms = [],
  notices = {},
}: Pick<PageDefinition<unknown>, 'forms' | 'notices'>): ReadonlyMap<string, Notice> {
  const ofForms = forms.flatMap(({ done = {}, section }) =>
    Object.entries(done).map(([key, message]) => [key, { message, ...(section && { section }) }] as const),
  )
  return new Map([...ofForms, ...Object.entries(notices)])
}

async function show<Data>(
  page: PageDefinition<Data>,
  call: ProjectCall,
  result: Pick<PageCall, 'rejected' | 'notice'>,
  status: number,
): Promise<Response> {
  const { c, ctx, deps, owner } = call
  const pageCall = { ...call, ...result, project: await readProject(call) }
  const data = await page.load(pageCall)
  const atTop = result.notice?.section === undefined ? result.notice?.message : undefined
  const statusMessage = page.message?.(data, pageCall) ?? atTop
  const frame = {
    operator: deps.operator,
    now: ctx.now(),
    csrf: owner.csrf(ACCOUNT_FORMS),
    project: pageCall.project,
    ...defined({ statusMessage }),
  }
  return scriptedPage(c, page.view(frame, data), status, page.formActions?.(data))
}

const readProject = async ({ ctx, tenant }: ProjectCall): Promise<Frame['project']> => ({
  ...(await describeProject(ctx, tenant)),
  suspension: tenant.suspension,
  rowsLeft: await readDeletionProgress(ctx, tenant),
})

function formRoute<Data>(app: App, deps: HttpDependencies, page: PageDefinition<Data>, form: ConsoleForm): void {
  const respond = async (c: Call, post: OwnerPost): Promise<Response> => {
    const call = await projectCall(deps, c, post.owner)
    const showAgain = (problem: Pick<RejectedForm, 'message' | 'problems'>, status: number): Promise<Response> => {
      const rejected = { id: form.id ?? '', form: post.form, ...problem }
      return show(page, call, { rejected, notice: undefined }, status)
    }
    try {
      const done = await form.handle({ ...call, ...post, author: ownerAuthor(c, post.owner) })
      return typeof done === 'string' ? c.redirect(pageAfter(page, form, call, done), 303) : done
    } catch (error) {
      if (error instanceof FormRejected) return showAgain({ message: error.message, problems: [] }, error.status)
      if (form.fields === undefined || !(error instanceof ApiError)) throw error
      const { status, headers } = problemOf(error)
      for (const [name, value] of Object.entries(headers)) c.header(name, value)
      return showAgain(problemsOf(error, form.errorFields?.[error.code]), status)
    }
  }
  ownerPost(app, deps, form.path.route, respond, form.limits)
}

/** The page of the form, at the section that shows the message. */
function pageAfter<Data>({ path }: PageDefinition<Data>, form: ConsoleForm, { c, tenant }: ProjectCall, done: string) {
  const { tenantId: _, ...item } = c.req.param() as Record<string, string>
  const at = path(tenant.id, Object.values(item)[0] ?? '')
  return `${at}?done=${done}${form.section === undefined ? '' : `#${form.section}`}`
}
