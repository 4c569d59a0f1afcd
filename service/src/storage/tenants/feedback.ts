import type { FeedbackStore } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'
import { camelCase } from '../columns.ts'
import { sweepExpired } from '../sweep-expired.ts'
import { lockTenant } from './lock-tenant.ts'

export function feedbackStore(access: Access): FeedbackStore {
  return {
    async append({ tenantId, accountId, kind, text, tokenHash, createdAt }, kept) {
      return access.inTransaction(async (open) => {
        await lockTenant(open, tenantId)
        const { numInsertedOrUpdatedRows = 0n } = await open.write
          .insertInto('feedback')
          .columns(['tenant_id', 'account_id', 'kind', 'text', 'token_hash', 'created_at'])
          .expression(
            open.write
              .selectNoFrom(({ val }) => [
                val(tenantId).as('tenant_id'),
                val(accountId).as('account_id'),
                val(kind).as('kind'),
                val(text).as('text'),
                val(tokenHash).as('token_hash'),
                val(createdAt).as('created_at'),
              ])
              .where(
                open.write
                  .selectFrom('feedback')
                  .select(({ fn }) => fn.countAll<number>().as('kept'))
                  .where('tenant_id', '=', tenantId)
                  .where('created_at', '>', kept.since),
                '<',
                kept.limit,
              ),
          )
          .executeTakeFirstOrThrow()
        return numInsertedOrUpdatedRows > 0n
      })
    },

    async oldestAt(tenantId, since) {
      const row = await access.read
        .selectFrom('feedback')
        .select('created_at')
        .where('tenant_id', '=', tenantId)
        .where('created_at', '>', since)
        .orderBy('created_at')
        .limit(1)
        .executeTakeFirst()
      return row?.created_at ?? null
    },

    async lastAcceptedAt(accountId) {
      const row = await access.read
        .selectFrom('feedback')
        .select('created_at')
        .where('account_id', '=', accountId)
        .where('token_hash', 'is not', null)
        .orderBy('created_at', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row?.created_at ?? null
    },

    async page(after, limit, tenantId) {
      const rows = await access.read
        .selectFrom('feedback')
        .select(['id', 'tenant_id', 'kind', 'text', 'created_at'])
        .where('id', '>', after)
        .$if(tenantId !== undefined, (query) => query.where('tenant_id', '=', tenantId ?? ''))
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(camelCase)
    },

    async remove(ids) {
      if (ids.length === 0) {
        return 0
      }
      const { numDeletedRows } = await access.write
        .deleteFrom('feedback')
        .where('id', 'in', ids)
        .executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    },

    async removeByTenant(tenantId) {
      const { numDeletedRows } = await access.write
        .deleteFrom('feedback')
        .where('tenant_id', '=', tenantId)
        .executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    },

    sweep: sweepExpired(access, 'feedback', { key: ['id'], where: ['created_at', '<'] }),
  }
}
