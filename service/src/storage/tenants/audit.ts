import type { TenantId } from '../../domain/ids.ts'
import type { AuditStore } from '../../domain/stores/stores.ts'
import type { NewAction } from '../../domain/tenants/audit.ts'
import type { Access, TransactionAccess } from '../access.ts'
import { camelCase } from '../columns.ts'
import { counterStore } from '../limits/counters.ts'
import { sweepExpired } from '../sweep-expired.ts'

const COLUMNS = ['tenant_id', 'id', 'at_ms', 'actor', 'action', 'target', 'request_id'] as const

export function auditStore(access: Access): AuditStore {
  const ofTenant = (tenantId: string) =>
    access.read.selectFrom('actions').select(COLUMNS).where('tenant_id', '=', tenantId)

  return {
    async append(action, kept) {
      await access.inTransaction(async ({ actions }) => {
        actions.push({ action, kept })
      })
    },

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
  for (const { action, kept } of open.actions) {
    await insertAction(open, action)
    await removeAllBut(open, action.tenantId, kept)
  }
}

async function insertAction(open: TransactionAccess, recorded: NewAction): Promise<void> {
  const id = await counterStore(open).nextId({
    scope: `tenant:${recorded.tenantId}`,
    window: 'audit-ids',
    start: 0,
  })
  await open.write
    .insertInto('actions')
    .values({
      tenant_id: recorded.tenantId,
      id,
      at_ms: recorded.at,
      actor: recorded.actor,
      action: recorded.action,
      target: recorded.target,
      request_id: recorded.requestId,
    })
    .execute()
}

async function removeAllBut(
  { write }: TransactionAccess,
  tenantId: TenantId,
  kept: number,
): Promise<void> {
  await write
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
