import type { AuditStore } from '../../domain/stores/stores.ts'
import type { Access, TransactionAccess } from '../access.ts'
import { camelCase } from '../columns.ts'
import { counterStore } from '../limits/counters.ts'
import { sweepExpired } from '../sweep-expired.ts'

export function auditStore(access: Access): AuditStore {
  const columns = ['tenant_id', 'id', 'at_ms', 'actor', 'action', 'target', 'request_id'] as const
  const ofTenant = (tenantId: string) =>
    access.read.selectFrom('actions').select(columns).where('tenant_id', '=', tenantId)
  return {
    append: (action, kept) =>
      access.inTransaction(async ({ actions }) => void actions.push({ action, kept })),

    async page(tenantId, after, limit) {
      const rows = await ofTenant(tenantId)
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(camelCase)
    },

    async recent(tenantId, limit) {
      const rows = await ofTenant(tenantId).orderBy('id', 'desc').limit(limit).execute()
      return rows.map(camelCase)
    },

    sweep: sweepExpired(access, 'actions', { key: ['tenant_id', 'id'], where: ['at_ms', '<'] }),
  }
}

/** Numbers and inserts the actions of a transaction, and deletes the oldest of each tenant. */
export async function writeActions(open: TransactionAccess): Promise<void> {
  for (const { action: recorded, kept } of open.actions) {
    const { tenantId, at, actor, action, target, requestId } = recorded
    const id = await counterStore(open).nextId({
      scope: `tenant:${tenantId}`,
      window: 'audit-ids',
      start: 0,
    })
    await open.write
      .insertInto('actions')
      .values({ tenant_id: tenantId, id, at_ms: at, actor, action, target, request_id: requestId })
      .execute()
    await open.write
      .deleteFrom('actions')
      .where('tenant_id', '=', tenantId)
      // Not by the distance of ids: they skip after a failover or a restore.
      .where('id', '<=', ({ selectFrom }) =>
        selectFrom('actions')
          .select('id')
          .where('tenant_id', '=', tenantId)
          .orderBy('id', 'desc')
          .limit(1)
          .offset(kept),
      )
      .execute()
  }
}
