import { isScope, type Scope } from '@gatehouse-auth/contract'
import type { Selectable } from 'kysely'
import type { Grant } from '../../domain/oauth/grant.ts'
import type { OAuthGrantStore } from '../../domain/stores/oauth.ts'
import type { Access } from '../access.ts'
import type { Tables } from '../tables/tables.ts'

export function oauthGrantStore(access: Access): OAuthGrantStore {
  return {
    async add({ clientId, clientName, subject, scopes, resource, createdAt, endsAt }) {
      const { id } = await access.write
        .insertInto('oauth_grants')
        .values({
          client_id: clientId,
          client_name: clientName,
          account_id: subject.kind === 'account' ? subject.accountId : null,
          guest_hash: subject.kind === 'guest' ? subject.guestHash : null,
          scopes: writeScopes(scopes),
          resource,
          created_at: createdAt,
          last_used_at: createdAt,
          ends_at: endsAt,
          revoked_at: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },

    async extend(grantId, endsAt, now) {
      const { numUpdatedRows } = await access.write
        .updateTable('oauth_grants')
        .set({ ends_at: endsAt, last_used_at: now })
        .where('id', '=', grantId)
        .where('revoked_at', 'is', null)
        .where('ends_at', '>', now)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    async touch(grantId, now, before) {
      await access.write
        .updateTable('oauth_grants')
        .set({ last_used_at: now })
        .where('id', '=', grantId)
        .where('last_used_at', '<=', before)
        .execute()
    },

    async revoke(grantId, now) {
      await access.write
        .updateTable('oauth_grants')
        .set({ revoked_at: now, ends_at: now })
        .where('id', '=', grantId)
        .where('revoked_at', 'is', null)
        .execute()
    },

    async revokeForAccount(accountId, grantId, now) {
      const { numUpdatedRows } = await access.write
        .updateTable('oauth_grants')
        .set({ revoked_at: now, ends_at: now })
        .where((eb) => eb.and({ id: grantId, account_id: accountId }))
        .where('revoked_at', 'is', null)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    async listByAccount(accountId, now) {
      const rows = await access.read
        .selectFrom('oauth_grants')
        .select(GRANT_COLUMNS)
        .where('account_id', '=', accountId)
        .where('revoked_at', 'is', null)
        .where('ends_at', '>', now)
        .orderBy('last_used_at', 'desc')
        .orderBy('id', 'desc')
        .execute()
      return rows.map(grantFrom)
    },

    async sweep(now, limit) {
      return access.inTransaction(async ({ write }) => {
        const ended = await write
          .deleteFrom('oauth_grants')
          .where('id', 'in', (eb) =>
            eb
              .selectFrom('oauth_grants')
              .select('id')
              .where('ends_at', '<=', now)
              .orderBy('ends_at')
              .limit(limit),
          )
          .where('ends_at', '<=', now)
          .returning('id')
          .execute()
        if (ended.length === 0) {
          return 0
        }
        const ids = ended.map(({ id }) => id)
        for (const table of [
          'oauth_codes',
          'oauth_access_tokens',
          'oauth_refresh_tokens',
        ] as const) {
          await write.deleteFrom(table).where('grant_id', 'in', ids).execute()
        }
        return ended.length
      })
    },
  }
}

/** With table names, because the joined tables have columns of the same names. */
export const GRANT_COLUMNS = [
  'oauth_grants.id',
  'oauth_grants.client_id',
  'oauth_grants.client_name',
  'oauth_grants.account_id',
  'oauth_grants.guest_hash',
  'oauth_grants.scopes',
  'oauth_grants.resource',
  'oauth_grants.created_at',
  'oauth_grants.last_used_at',
] as const

type Row = Omit<Selectable<Tables['oauth_grants']>, 'ends_at' | 'revoked_at'>

export const grantFrom = (row: Row): Grant => ({
  id: row.id,
  clientId: row.client_id,
  clientName: row.client_name,
  subject:
    row.account_id === null
      ? { kind: 'guest', guestHash: row.guest_hash ?? '' }
      : { kind: 'account', accountId: row.account_id },
  scopes: readScopes(row.scopes),
  resource: row.resource,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
})

export const readScopes = (text: string): Scope[] => text.split(' ').filter(isScope)

export const writeScopes = (scopes: readonly Scope[]): string => scopes.join(' ')
