import type { AuthEventKind } from '@gatehouse/contract'
import { ApiError } from '../../domain/api-error.ts'
import { isUnauthenticated } from '../../domain/limits/allowance.ts'
import type { OverLimit } from '../../domain/limits/over-limit.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { tenantPaused } from '../../domain/tenants/tenant-access.ts'
import type { Context } from '../context.ts'

/**
 * What follows from an allowance that is used up. A bucket only makes one wait. A hard cap pauses a guest, in a
 * statement of its own, because the transaction that met the cap has been undone.
 */
export async function handleOverLimit(
  ctx: Pick<Context, 'stores' | 'directory' | 'now'>,
  tenant: Tenant,
  kind: AuthEventKind,
  over: OverLimit,
): Promise<ApiError> {
  const reason = over.pauseReason
  // What anybody can cause never pauses a tenant; only people with a credential reach the cap itself.
  if (reason !== null && tenant.owner === null && !isUnauthenticated(kind)) {
    await ctx.stores.tenants.pause(tenant.id, reason, ctx.now())
    ctx.directory.forget(tenant.id)
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
