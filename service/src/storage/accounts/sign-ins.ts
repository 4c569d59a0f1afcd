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
        .returning(['id', 'browser_hash', 'next_path', 'created_at', 'expires_at'])
        .executeTakeFirst()
      if (row === undefined) return null
      const { browser_hash: browserHash, next_path: next, created_at: createdAt, expires_at: expiresAt } = row
      return { id: row.id, browserHash, next, createdAt, expiresAt }
    },

    sweep: (now, limit) => sweepExpired(access, 'account_sign_ins', now, limit),
  }
}
