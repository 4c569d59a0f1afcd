import type { ToolDefinition, ToolInput, tenantStatus } from '@gatehouse-auth/contract'
import { ApiError } from '../../domain/api-error.ts'
import type { Grant } from '../../domain/oauth/grant.ts'
import type { Actor } from '../../domain/tenants/audit.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../../operations/context.ts'
import { authenticateBearer } from '../../operations/oauth/tokens.ts'
import {
  authenticateTenant,
  requireAccessibleTenant,
} from '../../operations/tenants/authenticate.ts'
import { parseBearer } from '../callers/bearer.ts'

/** An anonymous caller, or one whose access token was valid when the request arrived. */
export type Caller = { readonly kind: 'public' } | { readonly kind: 'oauth'; readonly grant: Grant }

/**
 * Without an Authorization header the caller is anonymous. Prevents a fallback to anonymous access: any Authorization header
 * that is not a valid access token (empty, another scheme, a tenant key) is 401 (spec, Errors).
 */
export async function authenticateCaller(
  ctx: Context,
  authorization: string | undefined,
): Promise<Caller> {
  if (authorization === undefined) {
    return { kind: 'public' }
  }
  // The rest of the header is not looked at: whatever scheme it is under, a key belongs elsewhere.
  if (/\bsvc_(?:man|app)_/.test(authorization)) {
    throw keyInHeader()
  }
  const bearer = parseBearer(authorization)
  if (!bearer.ok) {
    throw new ApiError(
      'invalidAccessToken',
      'Send an OAuth access token as Authorization: Bearer, or no Authorization.',
    )
  }
  return { kind: 'oauth', grant: await authenticateBearer(ctx, bearer.token) }
}

const keyInHeader = (): ApiError =>
  new ApiError(
    'invalidAccessToken',
    'Keys do not go into the Authorization header here. Send the management key as the argument coh_management_key of the tool, together with tenant_id, and no Authorization header.',
  )

/** True if the grant lacks the tool's scope. Anonymous callers have no scopes: each of their calls includes a key. */
export const lacksScope = (caller: Caller, { scope }: Pick<ToolDefinition, 'scope'>): boolean =>
  caller.kind === 'oauth' && scope !== null && !caller.grant.scopes.includes(scope)

/** The caller and the arguments, parsed by the input schema for this kind of caller. `kind` discriminates the union. */
export type ToolRequest<D extends ToolDefinition> = {
  [K in Caller['kind']]: Extract<Caller, { readonly kind: K }> & { readonly input: ToolInput<D, K> }
}[Caller['kind']]

interface ResolvedCaller {
  readonly tenant: Tenant
  /** For the audit. */
  readonly actor: Actor
}

/** The tenant that the arguments name. Prevents access to another tenant: requires its key, or a grant that includes it. */
export async function resolveTenant(
  ctx: Context,
  request: ToolRequest<typeof tenantStatus>,
): Promise<ResolvedCaller> {
  const { tenant_id: tenantId } = request.input
  if (request.kind === 'oauth') {
    const { grant } = request
    return {
      tenant: await requireAccessibleTenant(ctx, grant, tenantId),
      actor: `grant:${grant.id}`,
    }
  }
  const { tenant, id } = await authenticateTenant(ctx, tenantId, request.input.coh_management_key)
  return { tenant, actor: `key:${id}` }
}
