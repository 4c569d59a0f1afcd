import { isScope, type Scope } from '@gatehouse/contract'
import type { Selectable } from 'kysely'
import type { Grant } from '../../domain/oauth/grant.ts'
import type { Tables } from '../tables/tables.ts'

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
