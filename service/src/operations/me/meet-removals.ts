import { REMOVAL_MS } from '../../domain/me/person.ts'
import type { Context } from '../context.ts'
import { eraseUser } from '../users/delete-user.ts'
import { unlessGone } from './own-user.ts'

const USERS_PER_SWEEP = 100

/** Deletes the users who asked for it 30 days ago and whom the owner did not delete. For the sweep. */
export async function meetRemovals(ctx: Context): Promise<void> {
  for (const { tenantId, userId, requestId } of await ctx.stores.removals.listDue(
    ctx.now() - REMOVAL_MS,
    USERS_PER_SWEEP,
  )) {
    const tenant = await ctx.stores.tenants.find(tenantId)
    // A request of a former resource is deleted with its other rows.
    if (tenant !== null) {
      await unlessGone(eraseUser(ctx, tenant, userId, { actor: 'person', requestId }, 'person'))
    }
  }
}
