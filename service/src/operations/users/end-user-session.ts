import { ApiError } from '../../domain/api-error.ts'
import type { Author } from '../../domain/audit/action.ts'
import type { SessionId } from '../../domain/ids.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import type { Context } from '../context.ts'
import { endSession } from '../sessions/end-session.ts'
import { requireResource } from '../tenants/require-tenant.ts'

/** Ends one session. `sessionId` is null if the path has no number. */
export async function endUserSession(
  ctx: Context,
  tenant: Tenant,
  sessionId: SessionId | null,
  author: Author,
): Promise<void> {
  requireTenantAccess(tenant, 'use', ctx.now())
  await requireResource(ctx.stores, tenant)
  const ended = sessionId !== null && (await endSession(ctx, tenant, sessionId, 'owner', author))
  if (!ended) throw new ApiError('sessionNotFound', 'This tenant has no session with this id, or it has ended.')
}
