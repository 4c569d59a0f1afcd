import type { Selectable } from 'kysely'
import type { AccountSession } from '../../domain/accounts/account.ts'
import type { AccountSessionStore } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'
import { sweepExpired } from '../sweep-expired.ts'
import type { Tables } from '../tables/tables.ts'
import { accountFrom } from './accounts.ts'

export function accountSessionStore(access: Access): AccountSessionStore {
  const unexpired = (now: number) =>
    access.read
      .selectFrom('account_sessions')
      .innerJoin('accounts', 'accounts.id', 'account_sessions.account_id')
      .select([
        'account_sessions.id',
        'account_id',
        'email',
        'name',
        'tier',
        'project_limit',
        'accounts.created_at as account_created_at',
      ])
      .select(['device', 'account_sessions.created_at', 'last_used_at', 'expires_at'])
      .where('expires_at', '>', now)

  return {
    async add({ hash, accountId, device, createdAt, expiresAt }) {
      const times = { created_at: createdAt, last_used_at: createdAt, expires_at: expiresAt }
      await access.write
        .insertInto('account_sessions')
        .values({ hash, account_id: accountId, device, ...times })
        .execute()
    },

    async find(hashes, now) {
      if (hashes.length === 0) return null
      const row = await unexpired(now).where('hash', 'in', hashes).executeTakeFirst()
      return row === undefined ? null : sessionFrom(row)
    },

    async slide(sessionId, now, expiresAt) {
      await access.write
        .updateTable('account_sessions')
        .set({ last_used_at: now, expires_at: expiresAt })
        .where('id', '=', sessionId)
        .where('expires_at', '>', now)
        .execute()
    },

    async listByAccount(accountId, now) {
      const rows = await unexpired(now)
        .where('account_id', '=', accountId)
        .orderBy('last_used_at', 'desc')
        .orderBy('account_sessions.id', 'desc')
        .execute()
      return rows.map(sessionFrom)
    },

    async end(accountId, sessionId) {
      await access.write
        .deleteFrom('account_sessions')
        .where('account_id', '=', accountId)
        .where('id', '=', sessionId)
        .execute()
    },

    async endAll(accountId) {
      await access.write.deleteFrom('account_sessions').where('account_id', '=', accountId).execute()
    },

    sweep: (now, limit) => sweepExpired(access, 'account_sessions', now, limit),
  }
}

type Row = Omit<Selectable<Tables['account_sessions']>, 'hash'> &
  Pick<Selectable<Tables['accounts']>, 'email' | 'name' | 'tier' | 'project_limit'> & {
    readonly account_created_at: number
  }

const sessionFrom = (row: Row): AccountSession => ({
  id: row.id,
  account: accountFrom({ ...row, id: row.account_id, created_at: row.account_created_at }),
  device: row.device,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  expiresAt: row.expires_at,
})
