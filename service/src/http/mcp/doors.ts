import type { ToolDefinition } from '@gatehouse/contract'
import type { Grant } from '../../domain/oauth/grant.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../../operations/context.ts'
import { authenticateBearer } from '../../operations/oauth/authenticate-bearer.ts'
import { authenticateTenant } from '../../operations/tenants/authenticate-tenant.ts'
import { requireReachedTenant } from '../../operations/tenants/require-reached-tenant.ts'

/** How a caller came in: with nothing, or with an access token that was good a moment ago. */
export type Door = { readonly kind: 'public' } | { readonly kind: 'oauth'; readonly grant: Grant }

const BEARER = /^Bearer +([A-Za-z0-9._~+/=-]+)$/i

/**
 * No Authorization header is the public door. A header that is there chooses the other one, whatever is in it: empty,
 * of another scheme, a tenant key. What is not good then is refused, and never let in as nobody (spec, Errors).
 */
export async function doorFor(ctx: Context, authorization: string | undefined): Promise<Door> {
  if (authorization === undefined) return { kind: 'public' }
  const token = BEARER.exec(authorization.trim())?.[1]
  if (token === undefined) {
    throw new Refusal('invalidAccessToken', 'Send an OAuth access token as Authorization: Bearer, or no Authorization.')
  }
  return { kind: 'oauth', grant: await authenticateBearer(ctx, token) }
}

/** Is the scope that this tool needs missing? The public door has no scopes: there each call brings its own key. */
export const lacksScope = (door: Door, { scope }: Pick<ToolDefinition, 'scope'>): boolean =>
  door.kind === 'oauth' && scope !== null && !door.grant.scopes.includes(scope)

export interface NamedTenant {
  readonly tenant_id: string
  /** At the public door only. */
  readonly coh_management_key?: string
}

/** The tenant a call names, if this caller may touch it now. */
export const tenantAt = (
  ctx: Context,
  door: Door,
  { tenant_id, coh_management_key = '' }: NamedTenant,
): Promise<Tenant> =>
  door.kind === 'public'
    ? authenticateTenant(ctx, tenant_id, coh_management_key)
    : requireReachedTenant(ctx, door.grant, tenant_id)
