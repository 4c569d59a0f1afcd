import type { Account } from '../../domain/accounts/account.ts'
import { type AuthEvent, type OwnerEvent, ownerView } from '../../domain/events/auth-event.ts'
import type { AccountId } from '../../domain/ids.ts'
import type { EventQuery, NewestEvents } from '../../domain/stores/stores.ts'
import { type OwnedTenant, requireTenantAccess, type Tenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'
import { waitShares } from '../limits/wait-shares.ts'
import { requireResource } from '../tenants/require-tenant.ts'

interface EventPage {
  readonly events: AuthEvent[]
  readonly hasMore: boolean
}

interface ListEvents extends EventQuery {
  readonly waitSeconds: number
  readonly addressKey: string
  /** The account of the owner who waits in the console. */
  readonly accountId?: AccountId
  readonly signal?: AbortSignal
}

/** Lists events after a cursor. With `waitSeconds`, waits until there is a newer event or the time is over. */
export async function listEvents(
  ctx: Context,
  tenant: Tenant,
  query: ListEvents,
): Promise<EventPage> {
  requireTenantAccess(tenant, 'read', ctx.now())
  const { stores } = ctx
  const resource = await requireResource(stores, tenant)
  // One more than requested, to know whether there is another page.
  const read = async (): Promise<EventPage> => {
    const events = await stores.events.page(resource, { ...query, limit: query.limit + 1 })
    return { events: events.slice(0, query.limit), hasMore: events.length > query.limit }
  }
  if (query.waitSeconds === 0) {
    return read()
  }

  using listener = ctx.signals.listen(tenant.id, waitShares({ ...query, tenantId: tenant.id }))
  const deadline = performance.now() + query.waitSeconds * 1_000
  for (;;) {
    const page = await ctx.signals.poll(read)
    const left = deadline - performance.now()
    if (page.events.length > 0 || left <= 0 || query.signal?.aborted) {
      return page
    }
    await listener.wait(left, query.signal)
    // At shutdown all long polls wake at once; they return without a query, and the client's next request catches up.
    if (ctx.signals.closed) {
      return page
    }
  }
}

interface ListedEvent extends OwnerEvent {
  readonly id: number
}

interface Activity {
  readonly events: readonly ListedEvent[]
  readonly hasMore: boolean
}

/** The history of a tenant as its owner sees it, the newest first. Empty without social login. */
export async function listActivity(
  { stores }: Pick<Context, 'stores'>,
  tenant: Tenant,
  query: NewestEvents,
): Promise<Activity> {
  const resource = await stores.resources.findActive(tenant.id)
  if (resource === null) {
    return { events: [], hasMore: false }
  }
  // One more than requested, to know whether there is another page.
  const found = await stores.events.newest(resource, { ...query, limit: query.limit + 1 })
  const events = found.slice(0, query.limit).map(listedEvent)
  return { events, hasMore: found.length > query.limit }
}

function listedEvent(event: AuthEvent): ListedEvent {
  return { id: event.id, ...ownerView(event) }
}

/** A proxy closes a connection on which nothing happens for a minute, or half of one. */
const WAIT_SECONDS = 25

interface FollowedActivity extends EventQuery {
  readonly account: Pick<Account, 'id'>
  readonly addressKey: string
  readonly signal: AbortSignal
}

/** Waits for events after a cursor, and returns them as the owner sees them, the newest first. */
export async function followActivity(
  ctx: Context,
  tenant: OwnedTenant,
  { account, ...query }: FollowedActivity,
): Promise<ListedEvent[]> {
  const { events } = await listEvents(ctx, tenant, {
    ...query,
    accountId: account.id,
    waitSeconds: WAIT_SECONDS,
  })
  return events.map(listedEvent).toReversed()
}
