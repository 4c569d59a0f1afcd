import { PROJECTS_PER_ACCOUNT } from '@gatehouse/contract'
import { type Selectable, sql } from 'kysely'
import type { Account } from '../../domain/accounts/account.ts'
import type { AccountStore } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'
import type { Tables } from '../tables/tables.ts'

const COLUMNS = ['id', 'email', 'name', 'tier', 'project_limit', 'created_at'] as const

export function accountStore(access: Access): AccountStore {
  const accounts = () => access.read.selectFrom('accounts').select(COLUMNS)

  return {
    async signIn({ issuer, subject, email, name }, now) {
      const row = await access.write
        .insertInto('accounts')
        .values({ issuer, subject, email, name, tier: 'free', created_at: now, last_seen: now })
        .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doUpdateSet({ email, name, last_seen: now }))
        .returning(COLUMNS)
        .executeTakeFirstOrThrow()
      return accountFrom(row)
    },

    async find(accountId) {
      const row = await accounts().where('id', '=', accountId).executeTakeFirst()
      return row === undefined ? null : accountFrom(row)
    },

    async lock(accountId) {
      const query = accounts().where('id', '=', accountId)
      // SQLite needs no lock: a transaction is the only writer from its first statement on.
      const row = await (access.engine === 'postgres' ? query.forUpdate() : query).executeTakeFirst()
      return row === undefined ? null : accountFrom(row)
    },

    async findByEmail(email) {
      const rows = await accounts().where(sql<boolean>`lower(email) = lower(${email})`).orderBy('id').execute()
      return rows.map(accountFrom)
    },

    async setTier(accountId, tier) {
      await access.write.updateTable('accounts').set({ tier }).where('id', '=', accountId).execute()
    },

    async setProjectLimit(accountId, projects) {
      await access.write.updateTable('accounts').set({ project_limit: projects }).where('id', '=', accountId).execute()
    },
  }
}

export const accountFrom = (row: Pick<Selectable<Tables['accounts']>, (typeof COLUMNS)[number]>): Account => ({
  id: row.id,
  email: row.email,
  name: row.name,
  tier: row.tier,
  projectLimit: row.project_limit ?? PROJECTS_PER_ACCOUNT,
  createdAt: row.created_at,
})
