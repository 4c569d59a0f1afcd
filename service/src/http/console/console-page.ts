import { ApiError } from '../../domain/api-error.ts'
import { describeProject } from '../../operations/tenants/project-name.ts'
import { readDeletionProgress } from '../../operations/tenants/purge-resource.ts'
import { ownerAuthor } from '../callers/author.ts'
import type { App, Call, HttpDependencies } from '../dependencies.ts'
import type { Html } from '../pages/markup.ts'
import { scriptedPage } from '../responses.ts'
import type { ConsoleForm } from './console-form.ts'
import {
  ACCOUNT_FORMS,
  type OwnerPost,
  ownerPage,
  ownerPost,
  redirectRefused,
  redirectRejected,
  rejectedForm,
  takeRejected,
} from './form.ts'
import type { Notice, RejectedForm } from './form-state.ts'
import type { ItemPath, ProjectPath } from './paths.ts'
import { type ProjectCall, projectCall } from './project-call.ts'
import { type Frame, projectLayout, type Tab } from './projects/project-page.ts'

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
  readonly notices?: Readonly<Record<string, Notice>>
  load(call: PageCall): Promise<Data>
  /** The content of the tab. */
  view(frame: Frame, data: Data): Html
  /** What the page says besides the notices of its forms. */
  notice?(data: Data, call: PageCall): Notice | undefined
  /** Where forms of the page may redirect to, besides this site. */
  formActions?(data: Data): readonly string[]
}

/** Registers the page and its forms. Another owner's project gives 404. `page` is the page with its data, for tests. */
export function consolePage<Data>(definition: PageDefinition<Data>) {
  const notices = noticesOf(definition)
  const register = (app: App, deps: HttpDependencies): void => {
    ownerPage(app, deps, definition.path.route, async (c, owner) => {
      const call = await projectCall(deps, c, owner)
      const rejected = takeRejected(deps, c, owner, c.req.path)
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
    ownerPage(app, deps, route, async (c, owner) => respond(await projectCall(deps, c, owner)))

/** The messages of the forms and of the page, by the query parameter `done`. */
function noticesOf({
  forms = [],
  notices = {},
}: Pick<PageDefinition<never>, 'forms' | 'notices'>): Map<string, Notice> {
  const all = new Map<string, Notice>()

  for (const form of forms) {
    for (const [key, message] of Object.entries(form.done ?? {})) {
      all.set(key, { message, ...placeOf(form) })
    }
  }
  for (const [key, notice] of Object.entries(notices)) {
    all.set(key, notice)
  }

  return all
}

/** Where the page shows the message of a form: beside its fields, in its section, or at the top. */
function placeOf(form: ConsoleForm): Pick<Notice, 'form' | 'section'> {
  const place = form.section === undefined ? {} : { section: form.section }
  return hasFields(form) ? { ...place, form: form.id } : place
}

const hasFields = ({ fields = {} }: ConsoleForm): boolean => Object.keys(fields).length > 0

async function show<Data>(
  page: PageDefinition<Data>,
  call: ProjectCall,
  rejected: RejectedForm | null,
  ofForm: Notice | undefined,
): Promise<Response> {
  const { c, ctx, deps, owner } = call
  const pageCall = { ...call, project: await readProject(call) }
  const data = await page.load(pageCall)
  const notice = rejected === null ? (page.notice?.(data, pageCall) ?? ofForm) : undefined
  const frame = {
    operator: deps.operator,
    now: ctx.now(),
    csrf: owner.csrf(ACCOUNT_FORMS),
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
  const respond = async (c: Call, post: OwnerPost): Promise<Response> => {
    const call = await projectCall(deps, c, post.owner)
    const address = page.path(call.tenant.id, call.item)

    try {
      const done = await form.handle({ ...call, ...post, author: ownerAuthor(c, post.owner) })
      return typeof done === 'string'
        ? c.redirect(`${address}?done=${done}${anchorOf(form)}`, 303)
        : done
    } catch (error) {
      if (!(error instanceof ApiError)) {
        throw error
      }
      return refuse(page, form, call, post, error)
    }
  }

  ownerPost(app, deps, form.path.route, respond, form.limits)
}

/** Shows the form again with the error, or the error as a page if the form has no fields. */
async function refuse<Data>(
  page: PageDefinition<Data>,
  form: ConsoleForm,
  call: ProjectCall,
  post: OwnerPost,
  error: ApiError,
): Promise<Response> {
  const { c, deps } = call
  const address = page.path(call.tenant.id, call.item)

  if (form.fields === undefined) {
    const redirected = redirectRefused(deps, c, error, address)
    if (redirected === null) {
      throw error
    }
    return redirected
  }

  const secrets = Object.keys(form.fields).filter((name) => form.fields?.[name]?.secret)
  const field = form.errorFields?.[error.code]
  const rejected = rejectedForm(form.id, post.form, error, field, secrets)
  const redirected = redirectRejected(deps, c, post.owner, address, rejected)
  return redirected ?? show(page, call, rejected, undefined)
}

/** Where the page shows the message. */
function anchorOf(form: ConsoleForm): string {
  const place = hasFields(form) ? form.id : form.section
  return place === undefined ? '' : `#${place}`
}
