import type { Account } from '../../domain/accounts/account.ts'
import { type OwnerEvent, ownerView } from '../../domain/events/owner-view.ts'
import type { EventQuery } from '../../domain/stores/stores.ts'
import type { OwnedTenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'
import { listEvents } from './list-events.ts'

/** A proxy closes a connection on which nothing happens for a minute, or half of one. */
const WAIT_SECONDS = 25

export interface FollowedActivity extends EventQuery {
  readonly account: Pick<Account, 'id'>
  readonly addressKey: string
  readonly signal: AbortSignal
}

/** Waits for events after a cursor, and returns them as the owner sees them, the newest first. */
export async function followActivity(
  ctx: Context,
  tenant: OwnedTenant,
  { account, ...query }: FollowedActivity,
): Promise<(OwnerEvent & { readonly id: number })[]> {
  const { events } = await listEvents(ctx, tenant, { ...query, accountId: account.id, waitSeconds: WAIT_SECONDS })
  return events.map((event) => ({ id: event.id, ...ownerView(event) })).toReversed()
}
