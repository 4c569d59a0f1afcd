import { type OwnerEvent, ownerView } from '../../domain/events/owner-view.ts'
import type { NewestEvents } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'

export interface ActivityPage {
  readonly events: readonly (OwnerEvent & { readonly id: number })[]
  readonly hasMore: boolean
}

/** The history of a tenant as its owner sees it, the newest first. Empty without social login. */
export async function listActivity(
  { stores }: Pick<Context, 'stores'>,
  tenant: Tenant,
  query: NewestEvents,
): Promise<ActivityPage> {
  const resource = await stores.resources.findActive(tenant.id)
  if (resource === null) return { events: [], hasMore: false }
  // One more than requested, to know whether there is another page.
  const found = await stores.events.newest(resource, { ...query, limit: query.limit + 1 })
  const events = found.slice(0, query.limit).map((event) => ({ id: event.id, ...ownerView(event) }))
  return { events, hasMore: found.length > query.limit }
}
