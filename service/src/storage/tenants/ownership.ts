import { WEBHOOK_KINDS } from '@gatehouse-auth/contract'
import type { EventScope } from '../../domain/limits/counter.ts'
import { latestTokenExpiry } from '../../domain/revocation/revocation.ts'
import type { OwnershipStore } from '../../domain/stores/stores.ts'
import type { TenantKeyKind } from '../../domain/tenants/tenant-keys.ts'
import type { Access, TransactionAccess } from '../access.ts'
import { publishRevocation } from '../revocations.ts'
import { lockTenant } from './lock-tenant.ts'
import { addKeys, selectTenants, tenantFrom } from './tenants.ts'

export function ownershipStore(access: Access): OwnershipStore {
  return {
    async claim(tenantId, accountId, now) {
      return access.inTransaction(async (open) => {
        // One conditional update: of two approvals, or an approval and the expiry, only the first has an effect.
        const row = await open.write
          .updateTable('tenants')
          .set({
            claimed_at: now,
            owner_account_id: accountId,
            paused_at: null,
            pause_reason: null,
          })
          .where('id', '=', tenantId)
          .where('claimed_at', 'is', null)
          .where('ended_at', 'is', null)
          .where('expires_at', '>', now)
          .returning('expires_at')
          .executeTakeFirst()
        if (row === undefined) {
          return false
        }
        // A second update, because the first returns the old expiry. The row stays locked until the commit.
        await open.write
          .updateTable('tenants')
          .set({ expires_at: null })
          .where('id', '=', tenantId)
          .execute()
        // Outlasts the revocation of a pause and every token with the old `tenant_ends`.
        const until = Math.max(row.expires_at ?? 0, latestTokenExpiry(now))
        await publishRevocation(open, { kind: 'tenant-claimed', tenantId, until }, now)
        open.pendingEvents.changedTenants.add(tenantId)
        // The webhooks of a paused tenant have waited for the claim.
        open.pendingEvents.deliverable.push({ tenantId, kinds: WEBHOOK_KINDS })
        return true
      })
    },

    async ownedBy(accountId) {
      const rows = await selectTenants(access.read)
        .select('tenants.name')
        .where('tenants.owner_account_id', '=', accountId)
        .where('tenants.ended_at', 'is', null)
        .orderBy('tenants.claimed_at', 'desc')
        .orderBy('tenants.id')
        .execute()
      return rows.map((row) => ({ ...tenantFrom(row), name: row.name }))
    },

    async rename(tenantId, name) {
      await access.write.updateTable('tenants').set({ name }).where('id', '=', tenantId).execute()
    },

    async replaceKeys(tenantId, keys, oldUntil, now) {
      await access.inTransaction((open) => replaceKeys(open, { tenantId, keys, oldUntil, now }))
    },

    async keyGeneration(tenantId) {
      const { key_generation: generation, keys_replaced_at: since } = await access.read
        .selectFrom('tenants')
        .select(['key_generation', 'keys_replaced_at'])
        .where('id', '=', tenantId)
        .executeTakeFirstOrThrow()
      return { generation, since }
    },

    async endKeyGeneration(tenantId, generation, now) {
      // One conditional update: of two presses of the same button, only the first replaces the keys.
      const { numUpdatedRows } = await access.write
        .updateTable('tenants')
        .set({ key_generation: generation + 1, keys_replaced_at: now })
        .where((eb) => eb.and({ id: tenantId, key_generation: generation }))
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    end: (tenantId, now) => end(access, tenantId, now, null),

    endOverdue: (tenantId, now) => end(access, tenantId, now, now),

    async listOverdue(now, limit) {
      const rows = await selectTenants(access.read)
        .where('tenants.ended_at', 'is', null)
        .where('tenants.expires_at', '<=', now)
        .orderBy('tenants.expires_at')
        .limit(limit)
        .execute()
      return rows.map(tenantFrom)
    },

    async listTombstones(endedBefore, limit) {
      const rows = await access.read
        .selectFrom('tenants')
        .select('id')
        .where('ended_at', '<', endedBefore)
        .orderBy('ended_at')
        .limit(limit)
        .execute()
      return rows.map(({ id }) => id)
    },

    async purgeTenant(tenantId) {
      await access.inTransaction((open) => purgeTenant(open, tenantId))
    },

    async page(after, limit) {
      const rows = await selectTenants(access.read)
        .where('tenants.id', '>', after)
        .orderBy('tenants.id')
        .limit(limit)
        .execute()
      return rows.map(tenantFrom)
    },
  }
}

/** False if the tenant has ended already or, with `dueBy`, expires later than that. */
function end(
  access: Access,
  tenantId: string,
  now: number,
  dueBy: number | null,
): Promise<boolean> {
  return access.inTransaction(async ({ write, pendingEvents }) => {
    const { numUpdatedRows } = await write
      .updateTable('tenants')
      .set((eb) => ({
        ended_at: now,
        name: null,
        // Keeps an expiry that has passed, and brings a later one forward.
        expires_at: eb
          .case()
          .when('expires_at', '<=', now)
          .then(eb.ref('expires_at'))
          .else(now)
          .end(),
      }))
      .where('id', '=', tenantId)
      .where('ended_at', 'is', null)
      .$if(dueBy !== null, (query) => query.where('expires_at', '<=', dueBy))
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) {
      return false
    }
    pendingEvents.changedTenants.add(tenantId)
    return true
  })
}

interface Replacement {
  readonly tenantId: string
  readonly keys: readonly { readonly kind: TenantKeyKind; readonly hash: string }[]
  /** When the current keys stop working, unless they expire sooner. */
  readonly oldUntil: number
  readonly now: number
}

/** Deletes expired keys, sets the expiry of the current ones, and adds the new ones. */
async function replaceKeys(
  open: TransactionAccess,
  { tenantId, keys, oldUntil, now }: Replacement,
): Promise<void> {
  // Otherwise neither of two concurrent replacements would see the other's keys, and both pairs would never expire.
  await lockTenant(open, tenantId)
  const { write } = open
  await write
    .deleteFrom('tenant_keys')
    .where('tenant_id', '=', tenantId)
    .where('expires_at', '<=', now)
    .execute()
  await write
    .updateTable('tenant_keys')
    .set({ expires_at: oldUntil })
    .where('tenant_id', '=', tenantId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', oldUntil)]))
    .execute()
  await addKeys(write, keys, { tenantId, isOwned: true, now })
}

/**
 * Every table with rows of a tenant, and what removes them. `resource`: the deletion of the social login, in portions
 * (`purge.ts`). `social login`: the same deletion, at once. `tenant`: the end of the tombstone. `kept`: not the
 * tenant's; feedback is the operator's, and revocations expire. A test compares this list with the schema.
 */
export const TENANT_TABLES = {
  resources: 'resource',
  users: 'resource',
  identities: 'resource',
  sessions: 'resource',
  events: 'resource',
  removal_requests: 'resource',
  consents: 'resource',
  day_tallies: 'resource',
  login_attempts: 'social login',
  login_codes: 'social login',
  invitations: 'social login',
  domains: 'social login',
  brands: 'social login',
  logos: 'social login',
  provider_clients: 'social login',
  webhooks: 'social login',
  webhook_retries: 'social login',
  webhook_messages: 'social login',
  webhook_attempts: 'social login',
  refusals: 'social login',
  tenant_keys: 'tenant',
  signing_keys: 'tenant',
  tenant_credentials: 'tenant',
  idempotency_keys: 'tenant',
  claims: 'tenant',
  edge_sessions: 'tenant',
  request_records: 'tenant',
  actions: 'tenant',
  feedback: 'kept',
  revocations: 'kept',
} as const

type Removed = (typeof TENANT_TABLES)[keyof typeof TENANT_TABLES]
type TablesRemovedWith<How extends Removed> = {
  [Table in keyof typeof TENANT_TABLES]: (typeof TENANT_TABLES)[Table] extends How ? Table : never
}[keyof typeof TENANT_TABLES]

const PURGED = Object.entries(TENANT_TABLES)
  .filter(([, removed]) => removed === 'social login' || removed === 'tenant')
  .map(([table]) => table as TablesRemovedWith<'social login' | 'tenant'>)

/** Deletes a tombstone and all rows that refer to it. Does nothing for a tenant that has not ended. */
async function purgeTenant({ write }: TransactionAccess, tenantId: string): Promise<void> {
  // An update that changes nothing is a row lock on both engines.
  const { numUpdatedRows } = await write
    .updateTable('tenants')
    .set((eb) => ({ ended_at: eb.ref('ended_at') }))
    .where('id', '=', tenantId)
    .where('ended_at', 'is not', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) {
    return
  }

  for (const table of PURGED) {
    await write.deleteFrom(table).where('tenant_id', '=', tenantId).execute()
  }
  const scope: EventScope = `tenant:${tenantId}`
  for (const table of ['counters', 'event_counts'] as const) {
    await write.deleteFrom(table).where('scope', '=', scope).execute()
  }
  await write.deleteFrom('tenants').where('id', '=', tenantId).execute()
}
