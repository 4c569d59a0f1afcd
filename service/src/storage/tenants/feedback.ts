import type { FeedbackStore } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'

export function feedbackStore(access: Access): FeedbackStore {
  return {
    async append({ tenantId, accountId, kind, text, tokenHash, createdAt }) {
      await access.write
        .insertInto('feedback')
        .values({
          tenant_id: tenantId,
          account_id: accountId,
          kind,
          text,
          token_hash: tokenHash,
          created_at: createdAt,
        })
        .execute()
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

    async page(after, limit) {
      const rows = await access.read
        .selectFrom('feedback')
        .select(['id', 'tenant_id', 'kind', 'text', 'created_at'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(({ id, tenant_id, kind, text, created_at }) => ({
        id,
        tenantId: tenant_id,
        kind,
        text,
        createdAt: created_at,
      }))
    },
  }
}
