import type { Selectable } from 'kysely'
import type { RecordedAction } from '../../domain/audit.ts'
import type { AuditStore } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'
import { sweepExpired } from '../sweep-expired.ts'
import type { Tables } from '../tables/tables.ts'

export function auditStore(access: Access): AuditStore {
  const ofTenant = (tenantId: string) => access.read.selectFrom('actions').selectAll().where('tenant_id', '=', tenantId)
  return {
    async append(id, { tenantId, at, actor, action, target, requestId }, kept) {
      await access.write
        .insertInto('actions')
        .values({ tenant_id: tenantId, id, at_ms: at, actor, action, target, request_id: requestId })
        .execute()
      await access.write
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
    },

    async page(tenantId, after, limit) {
      const rows = await ofTenant(tenantId).where('id', '>', after).orderBy('id').limit(limit).execute()
      return rows.map(actionFrom)
    },

    async recent(tenantId, limit) {
      const rows = await ofTenant(tenantId).orderBy('id', 'desc').limit(limit).execute()
      return rows.map(actionFrom)
    },

    sweep: sweepExpired(access, 'actions', { key: ['tenant_id', 'id'], where: ['at_ms', '<'] }),
  }
}

const actionFrom = (row: Selectable<Tables['actions']>): RecordedAction => ({
  id: row.id,
  tenantId: row.tenant_id,
  at: row.at_ms,
  actor: row.actor,
  action: row.action,
  target: row.target,
  requestId: row.request_id,
})
