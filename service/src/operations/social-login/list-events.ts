import type { AuthEvent } from '../../domain/events/auth-event.ts'
import type { EventQuery } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import type { Context } from '../context.ts'
import { requireResource } from '../tenants/require-tenant.ts'

/** The history after a point; with `waitSeconds`, held until there is something newer, or until the time is up. */
export async function listEvents(
  ctx: Context,
  tenant: Tenant,
  query: EventQuery & { readonly waitSeconds: number; readonly signal?: AbortSignal },
): Promise<AuthEvent[]> {
  requireTenantAccess(tenant, 'use', ctx.now())
  const { stores } = ctx
  const resource = await requireResource(stores, tenant)
  if (query.waitSeconds === 0) return stores.events.page(resource, query)

  using listener = ctx.signals.listen(tenant.id)
  const deadline = performance.now() + query.waitSeconds * 1_000
  for (;;) {
    const events = await ctx.signals.poll(() => stores.events.page(resource, query))
    const left = deadline - performance.now()
    if (events.length > 0 || left <= 0 || query.signal?.aborted) return events
    await listener.wait(left, query.signal)
    // At shutdown nobody looks again: hundreds would at once, and what they miss they are told when they ask next.
    if (ctx.signals.closed) return events
  }
}
