import type { ApiErrorCode } from '@gatehouse-auth/contract'
import type { z } from 'zod'
import FORMS from '../../../content/console.json' with { type: 'json' }
import { ApiError } from '../../domain/api-error.ts'
import type { Author } from '../../domain/audit.ts'
import { defined } from '../../domain/defined.ts'
import type { OwnedTenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../../operations/context.ts'
import { readDeletionProgress } from '../../operations/social-login/purge-resource.ts'
import { requireOwnedTenant } from '../../operations/tenants/require-tenant.ts'
import { describeProject } from '../../operations/tenants/project-name.ts'
import { ownerAuthor } from '../callers/author.ts'
import type { SignedInOwner } from '../callers/sessions.ts'
import type { App, Call, HttpDependencies } from '../dependencies.ts'
import { parseBody } from '../mount-endpoint.ts'
import { type ButtonForm, buttonForm, hiddenFields } from '../pages/fields.ts'
import { type Html, html } from '../pages/markup.ts'
import { scriptedPage } from '../responses.ts'
import * as forms from './form.ts'
import * as states from './form-state.ts'
import { accountPaths, below, type ItemPath, type ProjectPath } from './paths.ts'
import { type Frame, projectLayout, type Tab } from './projects/project-page.ts'

/** A request of an owner about one of their projects. */
export interface ProjectCall {
  readonly c: Call
  readonly deps: HttpDependencies
  readonly ctx: Context
  readonly owner: SignedInOwner
  readonly tenant: OwnedTenant
  /** The id in the path of a page about something in the project; else empty. */
  readonly item: string
}

/** A posted form. The origin, the session, the CSRF token and the owner of the project are checked. */
export interface FormPost extends ProjectCall, forms.OwnerPost {
  /** For the audit. */
  readonly author: Author
}

type FormKey = keyof typeof FORMS

interface FormWords {
  /** The label of its button. */
  readonly button: string
  /** Names the form on its page; the last part of its path, if it isn't given. */
  readonly id?: string
  /** Messages by the query parameter `done`. Other values show nothing, so a link can't put words on the page. */
  readonly done?: Readonly<Record<string, string>>
  readonly fields?: Readonly<Record<string, states.FieldWords>>
}

/** What a form does. Without a schema, `run` gets what the fields give. */
interface FormDefinition<Schema extends z.ZodType, Result> {
  /** Besides those in `service/content/console.json`. */
  readonly fields?: states.FormFields
  /** The fields that errors without a path are about. */
  readonly errorFields?: Partial<Record<ApiErrorCode, string>>
  readonly limits?: forms.FormOptions
  /** The schema by which the API checks what the fields give, or what `read` makes of it. */
  readonly body?: Schema
  readonly read?: (entered: Readonly<Record<string, unknown>>, form: URLSearchParams) => unknown
  /** Calls the operation of the API. */
  run(
    post: FormPost,
    body: [Schema] extends [never] ? Readonly<Record<string, unknown>> : z.output<Schema>,
  ): Promise<Result>
  /** The message, if there are several, or a response other than the page of the form. */
  outcome?(result: Result, post: FormPost): string | Response
}

/** What pages register and show. */
export interface ConsoleForm
  extends Omit<FormWords, 'fields'>,
    Pick<FormDefinition<never, never>, 'errorFields' | 'limits'> {
  readonly path: ProjectPath | ItemPath
  readonly id: string
  /**
   * With fields, an API error shows the form again: with its status, its message at the field that it names, and everything
   * that the owner entered. Without this property, an API error is a page.
   */
  readonly fields: states.FormFields | undefined
  /** Of the page that has it. */
  readonly section?: string
  /** The key of a message, or a response. */
  handle(post: FormPost): Promise<string | Response>
}

/**
 * A form of a project. `key` names its page and its own path below it, and its words in `service/content/console.json`. A form
 * that only calls an operation is that function.
 */
export function consoleForm<Result, Schema extends z.ZodType = never>(
  key: FormKey,
  definition: FormDefinition<Schema, Result> | FormDefinition<Schema, Result>['run'],
): ConsoleForm {
  const given: FormDefinition<Schema, Result> =
    typeof definition === 'function' ? { run: definition } : definition
  const { body, read, run, outcome, fields: own, ...rest } = given
  const { fields: described, id, ...words }: FormWords = FORMS[key]
  const path = formPath(key)
  const fields =
    described === undefined && own === undefined
      ? undefined
      : { ...states.formFields(described ?? {}), ...own }
  return {
    ...rest,
    ...words,
    path,
    id: id ?? path.route.split('/').at(-1) ?? '',
    fields,
    async handle(post) {
      const values = Object.entries(fields ?? {}).map(([name, field]) => [
        name,
        field.read(post.form, name),
      ])
      const entered = Object.fromEntries(values.filter(([, value]) => value !== undefined))
      const sent = read === undefined ? entered : read(entered, post.form)
      const checked = body === undefined ? sent : parseBody(body as z.ZodType, sent)
      const result = await run(post, checked as Parameters<typeof run>[1])
      return outcome === undefined
        ? (Object.keys(words.done ?? {})[0] ?? '')
        : outcome(result, post)
    },
  }
}

function formPath(key: FormKey): ProjectPath | ItemPath {
  const [page = '', ...rest] = key.split('/')
  const path = accountPaths[page as 'user' | 'keys']
  return rest.length === 0 ? path : below(path, rest.join('/'))
}

/** What a form shows: the current values or, if it is the one that was rejected, what the owner sent. */
export const formState = (
  { id, fields = {} }: ConsoleForm,
  { rejected = null }: Frame,
): states.FormState => new states.FormState(id, rejected, Object.keys(fields))

interface FormElement {
  /** The current values of the fields. */
  readonly values?: Readonly<Record<string, states.FieldValue>>
  readonly hidden?: Readonly<Record<string, string | number>>
  /** On the page of something in the project: its id. */
  readonly item?: string | number
  readonly button?: { readonly label?: string; readonly variant: string }
  /** Above the button. */
  readonly note?: Html | false
  readonly upload?: boolean
}

/** The form with its fields. Beside its button it says that it was saved. */
export function formElement(form: ConsoleForm, frame: Frame, element: FormElement = {}): Html {
  const {
    values = {},
    hidden,
    item = '',
    button = { variant: 'small' },
    note = false,
    upload = false,
  } = element
  const state = formState(form, frame)
  return html`<form method="post" id="${form.id}" action="${form.path(frame.project.tenantId, item)}"${upload && html` enctype="multipart/form-data"`}>
    ${hiddenFields({ csrf: frame.csrf, ...hidden })}
    ${state.message}
    ${Object.entries(form.fields ?? {}).map(([name, field]) => field.show(state, name, values[name]))}
    ${note}
    <div class="form-end"><button class="${button.variant}">${button.label ?? form.button}</button>${
      frame.notice?.form === form.id &&
      html`<p class="saved" role="status">${frame.notice.message}</p>`
    }</div>
  </form>`
}

interface Button extends Partial<Omit<ButtonForm, 'action' | 'csrf'>> {
  readonly item?: string | number
}

/** The form as a button. */
export const formButton = (
  form: ConsoleForm,
  { csrf, project }: Frame,
  { item = '', ...button }: Button = {},
): Html =>
  buttonForm({
    action: form.path(project.tenantId, item),
    csrf,
    label: form.button,
    variant: 'small',
    ...button,
  })

export interface PageCall extends ProjectCall {
  /** What the layout of every tab shows. */
  readonly project: Frame['project']
}

/** A page of a project. */
interface PageDefinition<Data> {
  readonly path: ProjectPath | ItemPath
  readonly tab: Tab
  readonly forms?: readonly ConsoleForm[]
  /** After forms of other pages, by the query parameter `done`. */
  readonly notices?: Readonly<Record<string, states.Notice>>
  load(call: PageCall): Promise<Data>
  /** The content of the tab. */
  view(frame: Frame, data: Data): Html
  /** What the page says besides the notices of its forms. */
  notice?(data: Data, call: PageCall): states.Notice | undefined
  /** Where forms of the page may redirect to, besides this site. */
  formActions?(data: Data): readonly string[]
}

/** Registers the page and its forms. Another owner's project gives 404. `page` is the page with its data, for tests. */
export function consolePage<Data>(definition: PageDefinition<Data>) {
  const notices = noticesOf(definition)
  const register = (app: App, deps: HttpDependencies): void => {
    forms.ownerPage(app, deps, definition.path.route, async (c, owner) => {
      const call = await projectCall(deps, c, owner)
      const rejected = forms.takeRejected(deps, c, owner, c.req.path)
      const notice = rejected === null ? notices.get(c.req.query('done') ?? '') : undefined
      return show(definition, call, rejected, notice)
    })
    for (const form of definition.forms ?? []) {
      formRoute(app, deps, definition, form)
    }
  }
  return Object.assign(register, {
    page: (frame: Frame, data: Data): Html => render(definition, frame, data),
  })
}

const render = <Data>({ tab, view }: PageDefinition<Data>, frame: Frame, data: Data): Html =>
  projectLayout(frame, tab, view(frame, data))

/** Registers a response of a project that isn't a page of the console. */
export const projectRoute =
  ({ route }: ProjectPath, respond: (call: ProjectCall) => Promise<Response>) =>
  (app: App, deps: HttpDependencies): void =>
    forms.ownerPage(app, deps, route, async (c, owner) =>
      respond(await projectCall(deps, c, owner)),
    )

async function projectCall(
  deps: HttpDependencies,
  c: Call,
  owner: SignedInOwner,
): Promise<ProjectCall> {
  const { ctx } = deps
  const { tenantId = '', ...item } = c.req.param() as Record<string, string>
  const tenant = await requireOwnedTenant(ctx, owner.session.account, tenantId)
  return { c, deps, ctx, owner, tenant, item: Object.values(item)[0] ?? '' }
}

function noticesOf({
  forms = [],
  notices = {},
}: Pick<PageDefinition<unknown>, 'forms' | 'notices'>) {
  const ofForms = forms.flatMap(({ id, fields = {}, done = {}, section }) => {
    const place = { ...defined({ section }), ...(Object.keys(fields).length > 0 && { form: id }) }
    return Object.entries(done).map(([key, message]) => [key, { message, ...place }] as const)
  })
  return new Map<string, states.Notice>([...ofForms, ...Object.entries(notices)])
}

async function show<Data>(
  page: PageDefinition<Data>,
  call: ProjectCall,
  rejected: states.RejectedForm | null,
  ofForm: states.Notice | undefined,
): Promise<Response> {
  const { c, ctx, deps, owner } = call
  const pageCall = { ...call, project: await readProject(call) }
  const data = await page.load(pageCall)
  const notice = rejected === null ? (page.notice?.(data, pageCall) ?? ofForm) : undefined
  const frame = {
    operator: deps.operator,
    now: ctx.now(),
    csrf: owner.csrf(forms.ACCOUNT_FORMS),
    project: pageCall.project,
    rejected,
    notice,
  }
  return scriptedPage(
    c,
    render(page, frame, data),
    rejected?.status ?? 200,
    page.formActions?.(data),
  )
}

const readProject = async ({ ctx, tenant }: ProjectCall): Promise<Frame['project']> => ({
  ...(await describeProject(ctx, tenant)),
  suspension: tenant.suspension,
  rowsLeft: await readDeletionProgress(ctx, tenant),
})

function formRoute<Data>(
  app: App,
  deps: HttpDependencies,
  page: PageDefinition<Data>,
  form: ConsoleForm,
): void {
  const respond = async (c: Call, post: forms.OwnerPost): Promise<Response> => {
    const call = await projectCall(deps, c, post.owner)
    const at = page.path(call.tenant.id, call.item)
    try {
      const done = await form.handle({ ...call, ...post, author: ownerAuthor(c, post.owner) })
      return typeof done === 'string'
        ? c.redirect(`${at}?done=${done}${anchorOf(form)}`, 303)
        : done
    } catch (error) {
      if (!(error instanceof ApiError)) {
        throw error
      }
      if (form.fields === undefined) {
        const redirected = forms.redirectRefused(deps, c, error, at)
        if (redirected === null) {
          throw error
        }
        return redirected
      }
      const secrets = Object.entries(form.fields).flatMap(([name, { secret }]) =>
        secret ? [name] : [],
      )
      const rejected = forms.rejectedForm(
        form.id,
        post.form,
        error,
        form.errorFields?.[error.code],
        secrets,
      )
      return (
        forms.redirectRejected(deps, c, post.owner, at, rejected) ??
        show(page, call, rejected, undefined)
      )
    }
  }
  forms.ownerPost(app, deps, form.path.route, respond, form.limits)
}

/** Where the page shows the message. */
const anchorOf = ({ section, id, fields = {} }: ConsoleForm): string => {
  const place = Object.keys(fields).length > 0 ? id : section
  return place === undefined ? '' : `#${place}`
}
