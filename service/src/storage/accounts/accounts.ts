import { asciiLowerCase, PROJECTS_PER_ACCOUNT } from '@gatehouse-auth/contract'
import { type Selectable, sql } from 'kysely'
import type { Account, AccountSession } from '../../domain/accounts/account.ts'
import type {
  AccountSessionStore,
  AccountSignInStore,
  AccountStore,
} from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'
import { sweepExpired } from '../sweep-expired.ts'
import type { Tables } from '../tables/tables.ts'

const COLUMNS = ['id', 'email', 'name', 'tier', 'project_limit', 'created_at'] as const

export function accountStore(access: Access): AccountStore {
  const accounts = () => access.read.selectFrom('accounts').select(COLUMNS)

  return {
    async signIn({ issuer, subject, email, name }, now) {
      const row = await access.write
        .insertInto('accounts')
        .values({ issuer, subject, email, name, tier: 'free', created_at: now, last_seen: now })
        .onConflict((conflict) =>
          conflict.columns(['issuer', 'subject']).doUpdateSet({ email, name, last_seen: now }),
        )
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
      const locking = access.engine === 'postgres' ? query.forUpdate() : query
      const row = await locking.executeTakeFirst()
      return row === undefined ? null : accountFrom(row)
    },

    async findByEmail(email) {
      const rows = await accounts()
        .where(sql<boolean>`lower(email) = lower(${email})`)
        .orderBy('id')
        .execute()
      // PostgreSQL's `lower` depends on the locale.
      return rows
        .map(accountFrom)
        .filter((each) => asciiLowerCase(each.email) === asciiLowerCase(email))
    },

    async setTier(accountId, tier) {
      await access.write.updateTable('accounts').set({ tier }).where('id', '=', accountId).execute()
    },

    async setProjectLimit(accountId, projects) {
      await access.write
        .updateTable('accounts')
        .set({ project_limit: projects })
        .where('id', '=', accountId)
        .execute()
    },
  }
}

const accountFrom = (
  row: Pick<Selectable<Tables['accounts']>, (typeof COLUMNS)[number]>,
): Account => ({
  id: row.id,
  email: row.email,
  name: row.name,
  tier: row.tier,
  projectLimit: row.project_limit ?? PROJECTS_PER_ACCOUNT,
  createdAt: row.created_at,
})

export function accountSessionStore(access: Access): AccountSessionStore {
  const unexpired = (now: number) =>
    access.read
      .selectFrom('account_sessions')
      .innerJoin('accounts', 'accounts.id', 'account_sessions.account_id')
      .select(['account_sessions.id', 'account_id', 'email', 'name', 'tier', 'project_limit'])
      .select('accounts.created_at as account_created_at')
      .select(['device', 'account_sessions.created_at', 'last_used_at', 'expires_at'])
      .where('expires_at', '>', now)

  return {
    async add({ hash, accountId, device, createdAt, expiresAt }) {
      await access.write
        .insertInto('account_sessions')
        .values({
          hash,
          account_id: accountId,
          device,
          created_at: createdAt,
          last_used_at: createdAt,
          expires_at: expiresAt,
        })
        .execute()
    },

    async find(hashes, now) {
      if (hashes.length === 0) {
        return null
      }
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
        .where((eb) => eb.and({ account_id: accountId, id: sessionId }))
        .execute()
    },

    async endAll(accountId) {
      await access.write
        .deleteFrom('account_sessions')
        .where('account_id', '=', accountId)
        .execute()
    },

    sweep: sweepExpired(access, 'account_sessions', { key: ['id'], where: ['expires_at', '<='] }),
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

export function accountSignInStore(access: Access): AccountSignInStore {
  return {
    async add({ id, browserHash, next, tested, createdAt, expiresAt }) {
      await access.write
        .insertInto('account_sign_ins')
        .values({
          id,
          browser_hash: browserHash,
          next_path: next,
          tested_tenant_id: tested?.tenantId ?? null,
          tested_client_id: tested?.id ?? null,
          created_at: createdAt,
          expires_at: expiresAt,
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
        .returning([
          'browser_hash',
          'next_path',
          'created_at',
          'expires_at',
          'tested_tenant_id',
          'tested_client_id',
        ])
        .executeTakeFirst()
      if (row === undefined) {
        return null
      }
      const { tested_tenant_id: tenantId, tested_client_id: clientId } = row
      return {
        id,
        browserHash: row.browser_hash,
        next: row.next_path,
        tested: tenantId === null || clientId === null ? null : { tenantId, id: clientId },
        createdAt: row.created_at,
        expiresAt: row.expires_at,
      }
    },

    sweep: sweepExpired(access, 'account_sign_ins', { key: ['id'], where: ['expires_at', '<='] }),
  }
}
