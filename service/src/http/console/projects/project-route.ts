import type { OwnedTenant } from '../../../domain/tenants/tenant.ts'
import { readDeletionProgress } from '../../../operations/social-login/purge-resource.ts'
import { requireOwnedTenant } from '../../../operations/tenants/require-tenant.ts'
import { describeProject } from '../../../operations/tenants/status.ts'
import type { SignedInOwner } from '../../callers/sessions.ts'
import type { App, Call, HttpDependencies } from '../../dependencies.ts'
import { ACCOUNT_FORMS, type FormOptions, type OwnerPost, ownerPage, ownerPost } from '../form.ts'
import type { ItemPath, ProjectPath } from '../paths.ts'
import type { Frame } from './project-page.ts'

/** A project in the hands of its owner. */
export interface OwnedProject {
  readonly owner: SignedInOwner
  readonly tenant: OwnedTenant
}

/** Registers a page of a project. Another owner's project gives 404. */
export function projectPage(
  app: App,
  deps: HttpDependencies,
  { route }: ProjectPath | ItemPath,
  handle: (c: Call, project: OwnedProject) => Promise<Response>,
): void {
  ownerPage(app, deps, route, async (c, owner) => handle(c, { owner, tenant: await ownedTenant(deps, c, owner) }))
}

/** Registers the POST of a form on a page of a project. */
export function projectPost(
  app: App,
  deps: HttpDependencies,
  { route }: ProjectPath | ItemPath,
  handle: (c: Call, post: OwnedProject & OwnerPost) => Promise<Response>,
  options?: FormOptions,
): void {
  ownerPost(
    app,
    deps,
    route,
    async (c, post) => handle(c, { ...post, tenant: await ownedTenant(deps, c, post.owner) }),
    options,
  )
}

const ownedTenant = ({ ctx }: HttpDependencies, c: Call, { session }: SignedInOwner): Promise<OwnedTenant> =>
  requireOwnedTenant(ctx, session.account, c.req.param('tenantId') ?? '')

/** The status messages of a tab, by the query parameter `done`. Other values show nothing, so a link can't put words on the page. */
export type StatusMessages = ReadonlyMap<string, string>

export const statusMessage = (c: Call, messages: StatusMessages): string | undefined =>
  messages.get(c.req.query('done') ?? '')

/** Reads what the layout of every tab shows. */
export async function readFrame(
  { ctx, operator }: HttpDependencies,
  { owner, tenant }: OwnedProject,
  message: string | undefined,
): Promise<Frame> {
  return {
    operator,
    now: ctx.now(),
    csrf: owner.csrf(ACCOUNT_FORMS),
    project: {
      ...(await describeProject(ctx, tenant)),
      suspension: tenant.suspension,
      rowsLeft: await readDeletionProgress(ctx, tenant),
    },
    ...(message === undefined ? {} : { statusMessage: message }),
  }
}
