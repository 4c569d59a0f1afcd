import { ApiError } from '../../domain/api-error.ts'
import { dayInWords } from '../../domain/limits/day-in-words.ts'
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
  over: OverLimit,
): Promise<ApiError> {
  const reason = over.pauseReason
  if (reason === null) return rateLimited(tenant, over, ctx.now())
  await ctx.stores.tenants.pause(tenant.id, reason, ctx.now())
  ctx.directory.invalidate(tenant.id)
  return tenantPaused(reason, tenant.expiresAt)
}

function rateLimited(tenant: Tenant, { window, limit, authenticated, resetsAt }: OverLimit, now: number): ApiError {
  const subject = tenant.owner === null ? 'This tenant' : 'The account that owns this tenant'
  const events = authenticated ? 'sign-ins and refreshes' : 'auth events'
  const seconds = Math.max(1, Math.ceil(((resetsAt ?? now) - now) / 1_000))
  return new ApiError(
    'rateLimited',
    `${subject} has used its ${limit} ${events} for this ${window}. ${window === 'month' ? `It resets on ${dayInWords(resetsAt ?? now)}.` : `Try again in ${seconds} s.`}`,
    { details: { window, limit, left: 0 }, retryAfterSeconds: seconds },
  )
}
