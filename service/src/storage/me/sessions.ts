import type { MeSessionStore } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'
import { sweepExpired } from '../sweep-expired.ts'

export function meSessionStore(access: Access): MeSessionStore {
  return {
    async add(hash, { issuer, subject, email, name, createdAt, expiresAt }) {
      await access.write
        .insertInto('me_sessions')
        .values({ hash, issuer, subject, email, name, created_at: createdAt, expires_at: expiresAt })
        .execute()
    },

    async find(hashes, now) {
      if (hashes.length === 0) return null
      const row = await access.read
        .selectFrom('me_sessions')
        .select(['issuer', 'subject', 'email', 'name', 'created_at', 'expires_at'])
        .where('hash', 'in', hashes)
        .where('expires_at', '>', now)
        .executeTakeFirst()
      if (row === undefined) return null
      const { created_at: createdAt, expires_at: expiresAt, ...person } = row
      return { ...person, createdAt, expiresAt }
    },

    async end(hashes) {
      if (hashes.length > 0) await access.write.deleteFrom('me_sessions').where('hash', 'in', hashes).execute()
    },

    sweep: (now, limit) => sweepExpired(access, 'me_sessions', now, limit),
  }
}
