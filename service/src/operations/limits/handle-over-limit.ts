import type { AuthEventKind } from '@gatehouse/contract'
import { ApiError } from '../../domain/api-error.ts'
import { isUnauthenticated } from '../../domain/limits/allowance.ts'
import type { OverLimit } from '../../domain/limits/over-limit.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { tenantPaused } from '../../domain/tenants/tenant-access.ts'
import type { Context } from '../context.ts'

/**
 * Returns the API error for an exceeded limit. A hard cap also pauses a guest tenant, in a statement of its own, because
 * the transaction that exceeded the cap was rolled back.
 */
export async function handleOverLimit(
  ctx: Pick<Context, 'stores' | 'directory' | 'now'>,
  tenant: Tenant,
  kind: AuthEventKind,
  over: OverLimit,
): Promise<ApiError> {
  const reason = over.pauseReason
  // An unauthenticated event never pauses a tenant: a stranger could pause any guest with it.
  if (reason !== null && tenant.owner === null && !isUnauthenticated(kind)) {
    await ctx.stores.tenants.pause(tenant.id, reason, ctx.now())
    ctx.directory.invalidate(tenant.id)
    return tenantPaused(reason)
  }
  return rateLimited(over, ctx.now())
}

function rateLimited(over: OverLimit, now: number): ApiError {
  const details = { window: over.window, limit: over.limit, left: 0 }
  if (over.resetsAt === null) {
    return new ApiError(
      'rateLimited',
      'This guest tenant has used the sign-in attempts it has before it is claimed. Claim it to continue: POST /api/claim/url.',
      { details },
    )
  }
  const seconds = Math.max(1, Math.ceil((over.resetsAt - now) / 1_000))
  return new ApiError(
    'rateLimited',
    `This tenant has used its ${over.limit} auth events for this ${over.window}. Try again in ${seconds} s.`,
    { details, retryAfterSeconds: seconds },
  )
}
