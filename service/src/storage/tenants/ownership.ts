import { latestTokenExpiry } from '../../domain/revocation/revocation.ts'
import type { OwnershipStore } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'
import { publishRevocation } from '../revocations.ts'
import { purgeTenant } from './purge.ts'
import { replaceKeys } from './replace-keys.ts'
import { selectTenants, tenantFrom } from './rows.ts'

export function ownershipStore(access: Access): OwnershipStore {
  return {
    async claim(tenantId, accountId, now) {
      return access.inTransaction(async (open) => {
        // One conditional statement: of two approvals, or an approval and the expiry, only the first has an effect.
        const row = await open.write
          .updateTable('tenants')
          .set({ claimed_at: now, owner_account_id: accountId, paused_at: null, pause_reason: null })
          .where('id', '=', tenantId)
          .where('claimed_at', 'is', null)
          .where('ended_at', 'is', null)
          .where('expires_at', '>', now)
          .returning('expires_at')
          .executeTakeFirst()
        if (row === undefined) return false
        // The end is lifted second, because whoever lifts it must know when it was: the row is ours until the commit.
        await open.write.updateTable('tenants').set({ expires_at: null }).where('id', '=', tenantId).execute()
        // Longer than a pause was announced for, and than any token that still carries the old end.
        const until = Math.max(row.expires_at ?? 0, latestTokenExpiry(now))
        await publishRevocation(open, { kind: 'tenant-claimed', tenantId, until }, now)
        open.pendingEvents.changedTenants.add(tenantId)
        return true
      })
    },

    async ownedBy(accountId) {
      const rows = await selectTenants(access.read)
        .where('tenants.owner_account_id', '=', accountId)
        .where('tenants.ended_at', 'is', null)
        .orderBy('tenants.claimed_at', 'desc')
        .orderBy('tenants.id')
        .execute()
      return rows.map(tenantFrom)
    },

    async replaceKeys(tenantId, keys, oldUntil, now) {
      await access.inTransaction((open) => replaceKeys(open, { tenantId, keys, oldUntil, now }))
    },

    end: (tenantId, now) => end(access, tenantId, now, null),

    endOverdue: (tenantId, now) => end(access, tenantId, now, now),

    async listOverdue(now, limit) {
      const rows = await selectTenants(access.read)
        .where('tenants.ended_at', 'is', null)
        .where('tenants.expires_at', '<=', now)
        .orderBy('tenants.expires_at')
        .limit(limit)
        .execute()
      return rows.map(tenantFrom)
    },

    async listTombstones(endedBefore, limit) {
      const rows = await access.read
        .selectFrom('tenants')
        .select('id')
        .where('ended_at', '<', endedBefore)
        .orderBy('ended_at')
        .limit(limit)
        .execute()
      return rows.map(({ id }) => id)
    },

    async purgeTenant(tenantId) {
      await access.inTransaction((open) => purgeTenant(open, tenantId))
    },

    async page(after, limit) {
      const rows = await selectTenants(access.read)
        .where('tenants.id', '>', after)
        .orderBy('tenants.id')
        .limit(limit)
        .execute()
      return rows.map(tenantFrom)
    },
  }
}

/** Once; with `dueBy`, only what was due by then. */
function end(access: Access, tenantId: string, now: number, dueBy: number | null): Promise<boolean> {
  return access.inTransaction(async ({ write, pendingEvents }) => {
    const { numUpdatedRows } = await write
      .updateTable('tenants')
      .set((eb) => ({
        ended_at: now,
        // A guest that ran out did so when it did; whatever had longer to live has it no more.
        expires_at: eb.case().when('expires_at', '<=', now).then(eb.ref('expires_at')).else(now).end(),
      }))
      .where('id', '=', tenantId)
      .where('ended_at', 'is', null)
      .$if(dueBy !== null, (query) => query.where('expires_at', '<=', dueBy))
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return false
    pendingEvents.changedTenants.add(tenantId)
    return true
  })
}
