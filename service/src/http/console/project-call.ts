import type { Author } from '../../domain/tenants/audit.ts'
import type { OwnedTenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../../operations/context.ts'
import { requireOwnedTenant } from '../../operations/tenants/require-tenant.ts'
import type { SignedInOwner } from '../callers/sessions.ts'
import type { Call, HttpDependencies } from '../dependencies.ts'
import type { OwnerPost } from './form.ts'

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
export interface FormPost extends ProjectCall, OwnerPost {
  /** For the audit. */
  readonly author: Author
}

export async function projectCall(
  deps: HttpDependencies,
  c: Call,
  owner: SignedInOwner,
): Promise<ProjectCall> {
  const { ctx } = deps
  const { tenantId = '', ...item } = c.req.param() as Record<string, string>
  const tenant = await requireOwnedTenant(ctx, owner.session.account, tenantId)
  return { c, deps, ctx, owner, tenant, item: Object.values(item)[0] ?? '' }
}
