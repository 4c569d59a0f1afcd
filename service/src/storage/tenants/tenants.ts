import type { Kysely, Selectable } from 'kysely'
import type {
  CreationStore,
  CredentialsStore,
  EdgeSessionStore,
  TenantKey,
  TenantStore,
} from '../../domain/stores/stores.ts'
import { GUEST_LIFETIME_MS, type Tenant } from '../../domain/tenants/tenant.ts'
import type { Access } from '../access.ts'
import { publishRevocation } from '../revocations.ts'
import type { Slots } from '../slots.ts'
import { statement } from '../statement.ts'
import { sweepExpired } from '../sweep-expired.ts'
import type { Tables } from '../tables/tables.ts'

export function tenantStore(access: Access): TenantStore {
  return {
    async create(tenant, keys) {
      await access.inTransaction(async ({ write }) => {
        await write
          .insertInto('tenants')
          .values({
            id: tenant.id,
            origin: tenant.origin,
            profile: tenant.profile,
            created_at: tenant.createdAt,
            expires_at: tenant.expiresAt,
            claimed_at: tenant.claimedAt,
            owner_account_id: tenant.owner?.accountId ?? null,
            paused_at: tenant.pausedAt,
            pause_reason: tenant.pauseReason,
            suspended_at: null,
            suspension_reason: null,
            creator_guest_hash: tenant.creatorGuestHash,
          })
          .execute()
        await addKeys(write, keys, {
          tenantId: tenant.id,
          isOwned: tenant.owner !== null,
          now: tenant.createdAt,
        })
      })
    },

    find: (tenantId) => byId.find(access.read, { id: tenantId }, tenantFrom),

    async findByKey(hashes, now) {
      if (hashes.length === 0) {
        return null
      }
      const row = await byKey.first(access.read, { hashes, now })
      if (row === undefined) {
        return null
      }
      return {
        tenant: tenantFrom(row),
        kind: row.kind,
        issuedToOwner: row.issued_to_owner === 1,
        id: keyId(row.hash),
        hash: row.hash,
        lastUsedAt: row.last_used_at,
      }
    },

    listKeys: (tenantId, now) => listKeys(access, tenantId, now),

    touchKeys: (hashes, usedAt, before) => touchKeys(access, hashes, usedAt, before),

    async pause(tenantId, reason, now) {
      return access.inTransaction(async (open) => {
        const row = await open.write
          .updateTable('tenants')
          .set({ paused_at: now, pause_reason: reason })
          .where('id', '=', tenantId)
          .where('paused_at', 'is', null)
          .where('claimed_at', 'is', null)
          .returning('expires_at')
          .executeTakeFirst()
        if (row === undefined) {
          return false
        }
        const until = row.expires_at ?? now + GUEST_LIFETIME_MS
        await publishRevocation(open, { kind: 'tenant-paused', tenantId, until }, now)
        return true
      })
    },
  }
}

const TENANT_COLUMNS = [
  'tenants.id',
  'tenants.origin',
  'tenants.profile',
  'tenants.created_at',
  'tenants.expires_at',
  'tenants.claimed_at',
  'tenants.owner_account_id',
  'tenants.paused_at',
  'tenants.pause_reason',
  'tenants.suspended_at',
  'tenants.suspension_reason',
  'tenants.creator_guest_hash',
  'accounts.tier',
] as const

interface KeyHolder {
  readonly tenantId: string
  readonly isOwned: boolean
  readonly now: number
}

/** Adds keys that don't expire. */
export async function addKeys(
  write: Kysely<Tables>,
  keys: Parameters<TenantStore['create']>[1],
  { tenantId, isOwned, now }: KeyHolder,
): Promise<void> {
  for (const { kind, hash } of keys) {
    await write
      .insertInto('tenant_keys')
      .values({
        hash,
        tenant_id: tenantId,
        kind,
        issued_to_owner: isOwned ? 1 : 0,
        created_at: now,
        expires_at: null,
      })
      .execute()
  }
}

/** Tenants with the tiers of their owners. */
export const selectTenants = (read: Kysely<Tables>) =>
  read
    .selectFrom('tenants')
    .leftJoin('accounts', 'accounts.id', 'tenants.owner_account_id')
    .select(TENANT_COLUMNS)

const byId = statement((db, { id }: Slots<{ id: string }>) =>
  selectTenants(db).where('tenants.id', '=', id),
)

const byKey = statement((db, { hashes, now }: Slots<{ hashes: readonly string[]; now: number }>) =>
  db
    .selectFrom('tenant_keys')
    .innerJoin('tenants', 'tenants.id', 'tenant_keys.tenant_id')
    .leftJoin('accounts', 'accounts.id', 'tenants.owner_account_id')
    .select(TENANT_COLUMNS)
    .select([
      'tenant_keys.kind',
      'tenant_keys.issued_to_owner',
      'tenant_keys.hash',
      'tenant_keys.last_used_at',
    ])
    .where('tenant_keys.hash', 'in', hashes)
    .where((eb) =>
      eb.or([eb('tenant_keys.expires_at', 'is', null), eb('tenant_keys.expires_at', '>', now)]),
    ),
)

type Row = Omit<
  Selectable<Tables['tenants']>,
  'ended_at' | 'key_generation' | 'keys_replaced_at' | 'suspension_generation' | 'name'
> & { readonly tier: Tables['accounts']['tier'] | null }

export const tenantFrom = (row: Row): Tenant => ({
  id: row.id,
  origin: row.origin,
  profile: row.profile,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  claimedAt: row.claimed_at,
  owner:
    row.owner_account_id === null || row.tier === null
      ? null
      : { accountId: row.owner_account_id, tier: row.tier },
  pausedAt: row.paused_at,
  pauseReason: row.pause_reason,
  suspension:
    row.suspended_at === null
      ? null
      : { at: row.suspended_at, reason: row.suspension_reason ?? '' },
  creatorGuestHash: row.creator_guest_hash,
})

/** A key is named by the start of its hash. */
const keyId = (hash: string): string => hash.slice(0, 8)

async function listKeys(access: Access, tenantId: string, now: number): Promise<TenantKey[]> {
  const rows = await access.read
    .selectFrom('tenant_keys')
    .select(['hash', 'kind', 'issued_to_owner', 'created_at', 'expires_at', 'last_used_at'])
    .where('tenant_id', '=', tenantId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .orderBy((eb) => eb.case().when('expires_at', 'is', null).then(0).else(1).end())
    .orderBy('created_at', 'desc')
    .orderBy('kind', 'desc')
    .orderBy('hash')
    .execute()
  return rows.map((row) => ({
    id: keyId(row.hash),
    kind: row.kind,
    issuedToOwner: row.issued_to_owner === 1,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
  }))
}

/** One conditional statement: of several instances that saw the same hour end, only the first writes. */
async function touchKeys(
  access: Access,
  hashes: readonly string[],
  usedAt: number,
  before: number,
): Promise<void> {
  await access.write
    .updateTable('tenant_keys')
    .set({ last_used_at: usedAt })
    .where('hash', 'in', hashes)
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<=', before)]))
    .execute()
}

export function creationStore(access: Access): CreationStore {
  return {
    async find(scopes) {
      if (scopes.length === 0) {
        return null
      }
      const row = await access.read
        .selectFrom('idempotency_keys')
        .select('tenant_id')
        .where('scope', 'in', scopes)
        .executeTakeFirst()
      return row?.tenant_id ?? null
    },

    // On PostgreSQL the insert waits for an uncommitted insert of the same key; on SQLite there is one writer at a time.
    // No row: another transaction has the key.
    async take(scope, tenantId, now) {
      const row = await access.write
        .insertInto('idempotency_keys')
        .values({ scope, tenant_id: tenantId, created_at: now })
        .onConflict((conflict) => conflict.column('scope').doNothing())
        .returning('scope')
        .executeTakeFirst()
      return row !== undefined
    },
  }
}

export function credentialsStore(access: Access): CredentialsStore {
  return {
    async add(tenantId, sealed, now) {
      await access.write
        .insertInto('tenant_credentials')
        .values({ tenant_id: tenantId, sealed, sealed_at: now })
        .execute()
    },

    async find(tenantId) {
      const row = await access.read
        .selectFrom('tenant_credentials')
        .select('sealed')
        .where('tenant_id', '=', tenantId)
        .executeTakeFirst()
      return row?.sealed ?? null
    },

    async replace(tenantId, sealed, now) {
      await access.write
        .updateTable('tenant_credentials')
        .set({ sealed, sealed_at: now })
        .where('tenant_id', '=', tenantId)
        .execute()
    },

    async remove(tenantId) {
      await access.write
        .deleteFrom('tenant_credentials')
        .where('tenant_id', '=', tenantId)
        .execute()
    },
  }
}

export function edgeSessionStore(access: Access): EdgeSessionStore {
  return {
    async add(hash, tenantId, expiresAt) {
      await access.write
        .insertInto('edge_sessions')
        .values({ hash, tenant_id: tenantId, expires_at: expiresAt })
        .execute()
    },

    async find(hashes, now) {
      if (hashes.length === 0) {
        return null
      }
      const row = await access.read
        .selectFrom('edge_sessions')
        .select(['tenant_id', 'expires_at'])
        .where('hash', 'in', hashes)
        .where('expires_at', '>', now)
        .executeTakeFirst()
      return row === undefined ? null : { tenantId: row.tenant_id, expiresAt: row.expires_at }
    },

    sweep: sweepExpired(access, 'edge_sessions', { key: ['hash'], where: ['expires_at', '<='] }),
  }
}
