import { tokenRefreshed } from '../domain/events/auth-event.ts'
import { inOrder } from '../domain/limits/allowance.ts'
import { OverLimit } from '../domain/limits/over-limit.ts'
import type { Refresh, RefreshOutcome } from '../domain/sessions/refresh.ts'
import type { HomeStores, SocialLoginStores, Stores } from '../domain/stores.ts'
import type { Tenant } from '../domain/tenants/tenant.ts'

/** Thrown to undo what was done so far. */
class Undone extends Error {}

/**
 * A refresh step by step, for a tenant whose data is in another database than its home. It also is what the other two
 * (`refresh-sqlite.ts`, migration 10) mean, in words that are easier to read; one test asks all three the same.
 */
export async function refreshApart(stores: Stores, refresh: Refresh): Promise<RefreshOutcome> {
  try {
    return await stores.atomically(refresh.tenant.profile, (open) => refreshed(open, refresh))
  } catch (error) {
    if (error instanceof Undone) return { outcome: 'not-current' }
    if (!(error instanceof OverLimit)) throw error
    const charge = inOrder(refresh.charges).find(({ counter }) => counter.window === error.window)
    if (charge === undefined) throw error
    return { outcome: 'over-limit', charge }
  }
}

async function refreshed(
  stores: HomeStores & SocialLoginStores,
  { tenant, rotation, charges }: Refresh,
): Promise<RefreshOutcome> {
  const known = await stores.tenants.find(tenant.id)
  if (known === null || !isUnchanged(known, tenant)) return { outcome: 'tenant-changed' }
  const resource = await stores.resources.holdActive(tenant.id)
  if (resource === null) return { outcome: 'not-provisioned' }
  const session = await stores.sessions.rotate(resource, rotation)
  if (session === null) return { outcome: 'not-current' }

  const used: number[] = []
  for (const charge of inOrder(charges)) {
    const taken = await stores.counters.spend(charge.counter, 1, charge.limit)
    if (taken === null) throw new OverLimit(charge)
    used.push(taken)
  }
  const user = await stores.users.touch(resource, session.userId, rotation.now)
  if (user === null) throw new Undone()
  await stores.events.append(resource, tokenRefreshed(user, rotation.now))
  return { outcome: 'refreshed', resourceId: resource.id, session, user, usedThisMinute: used[1] ?? 0 }
}

const isUnchanged = (now: Tenant, then: Tenant): boolean =>
  now.owner?.accountId === then.owner?.accountId &&
  now.owner?.tier === then.owner?.tier &&
  now.expiresAt === then.expiresAt &&
  now.pausedAt === then.pausedAt
