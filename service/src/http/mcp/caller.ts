import type { ToolDefinition, ToolInput, tenantStatus } from '@gatehouse/contract'
import { ApiError } from '../../domain/api-error.ts'
import type { Grant } from '../../domain/oauth/grant.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../../operations/context.ts'
import { authenticateBearer } from '../../operations/oauth/authenticate-bearer.ts'
import { authenticateTenant } from '../../operations/tenants/authenticate-tenant.ts'
import { requireReachedTenant } from '../../operations/tenants/require-reached-tenant.ts'
import { parseBearer } from '../callers/bearer.ts'

/** How a caller came in: with nothing, or with an access token that was good a moment ago. */
export type Caller = { readonly kind: 'public' } | { readonly kind: 'oauth'; readonly grant: Grant }

/**
 * No Authorization header is the public door. A header that is there chooses the other one, whatever is in it: empty,
 * of another scheme, a tenant key. What is not good then is refused, and never let in as nobody (spec, Errors).
 */
export async function authenticateCaller(ctx: Context, authorization: string | undefined): Promise<Caller> {
  if (authorization === undefined) return { kind: 'public' }
  const read = parseBearer(authorization)
  if (!read.ok) {
    throw new ApiError(
      'invalidAccessToken',
      'Send an OAuth access token as Authorization: Bearer, or no Authorization.',
    )
  }
  return { kind: 'oauth', grant: await authenticateBearer(ctx, read.token) }
}

/** Is the scope that this tool needs missing? The public door has no scopes: there each call brings its own key. */
export const lacksScope = (caller: Caller, { scope }: Pick<ToolDefinition, 'scope'>): boolean =>
  caller.kind === 'oauth' && scope !== null && !caller.grant.scopes.includes(scope)

/** Who calls, and the arguments that the schema for their way in accepted. `kind` tells the two apart. */
export type ToolRequest<D extends ToolDefinition> = {
  [K in Caller['kind']]: Extract<Caller, { readonly kind: K }> & { readonly input: ToolInput<D, K> }
}[Caller['kind']]

/** The tenant a call names, if this caller may touch it now. */
export const resolveTenant = (ctx: Context, request: ToolRequest<typeof tenantStatus>): Promise<Tenant> =>
  request.kind === 'public'
    ? authenticateTenant(ctx, request.input.tenant_id, request.input.coh_management_key)
    : requireReachedTenant(ctx, request.grant, request.input.tenant_id)
