import type { Kysely, Selectable } from 'kysely'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { Tables } from '../tables.ts'

// Columns are always named: a `select *` that was prepared once breaks the day a newer version adds a column.
export const TENANT_COLUMNS = [
  'tenants.id',
  'tenants.origin',
  'tenants.profile',
  'tenants.created_at',
  'tenants.expires_at',
  'tenants.claimed_at',
  'tenants.owner_account_id',
  'tenants.paused_at',
  'tenants.pause_reason',
  'tenants.creator_guest_hash',
  'accounts.tier',
] as const

/** Tenants with the tier of their owners. */
export const selectTenants = (read: Kysely<Tables>) =>
  read.selectFrom('tenants').leftJoin('accounts', 'accounts.id', 'tenants.owner_account_id').select(TENANT_COLUMNS)

type Row = Omit<Selectable<Tables['tenants']>, 'ended_at'> & { readonly tier: Tables['accounts']['tier'] | null }

export const tenantFrom = (row: Row): Tenant => ({
  id: row.id,
  origin: row.origin,
  profile: row.profile,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  claimedAt: row.claimed_at,
  owner:
    row.owner_account_id === null || row.tier === null ? null : { accountId: row.owner_account_id, tier: row.tier },
  pausedAt: row.paused_at,
  pauseReason: row.pause_reason,
  creatorGuestHash: row.creator_guest_hash,
})
