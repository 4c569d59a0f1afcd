import type { AccountSignInStore } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'
import { sweepExpired } from '../sweep-expired.ts'

export function accountSignInStore(access: Access): AccountSignInStore {
  return {
    async add(signIn) {
      await access.write
        .insertInto('account_sign_ins')
        .values({
          id: signIn.id,
          browser_hash: signIn.browserHash,
          next_path: signIn.next,
          tested_tenant_id: signIn.tested?.tenantId ?? null,
          tested_client_id: signIn.tested?.id ?? null,
          created_at: signIn.createdAt,
          expires_at: signIn.expiresAt,
          taken_at: null,
        })
        .execute()
    },

    // One conditional update: of two callbacks with the same `state`, only the first takes the row.
    async take(id, now) {
      const row = await access.write
        .updateTable('account_sign_ins')
        .set({ taken_at: now })
        .where('id', '=', id)
        .where('taken_at', 'is', null)
        .where('expires_at', '>', now)
        .returningAll()
        .executeTakeFirst()
      if (row === undefined) return null
      const { browser_hash: browserHash, next_path: next, created_at: createdAt, expires_at: expiresAt } = row
      const { tested_tenant_id: tenantId, tested_client_id: clientId } = row
      const tested = tenantId === null || clientId === null ? null : { tenantId, id: clientId }
      return { id: row.id, browserHash, next, tested, createdAt, expiresAt }
    },

    sweep: (now, limit) => sweepExpired(access, 'account_sign_ins', now, limit),
  }
}
