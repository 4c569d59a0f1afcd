import { asciiLowerCase, WEBHOOK_KINDS } from '@gatehouse-auth/contract'
import { type Kysely, sql } from 'kysely'
import { latestTokenExpiry } from '../../domain/revocation/revocation.ts'
import type { BlockedHostStore, ModerationStore } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'
import { camelCase } from '../columns.ts'
import { publishRevocation } from '../revocations.ts'
import type { Slots } from '../slots.ts'
import { statement } from '../statement.ts'
import type { Tables } from '../tables/tables.ts'
import { selectTenants, tenantFrom } from './tenants.ts'

/** No account has this id. */
const NO_ACCOUNT = -1

export function moderationStore(access: Access): ModerationStore {
  return {
    suspend: (tenantId, reason, now) => change(access, tenantId, { at: now, reason }, now),

    lift: (tenantId, now) => change(access, tenantId, null, now),

    async search({ text, after, limit }) {
      const escaped = asciiLowerCase(text).replace(/[\\%_]/g, '\\$&')
      const pattern = `%${escaped}%`
      // PostgreSQL's other collations fold more letters than ASCII's.
      const collation = sql.raw(access.engine === 'postgres' ? 'collate "C"' : '')
      const accountId = /^\d{1,15}$/.test(text) ? Number(text) : NO_ACCOUNT
      const contains = (column: string) =>
        sql<boolean>`lower(${sql.ref(column)} ${collation}) like ${pattern} escape '\\'`
      const rows = await selectTenants(access.read)
        .where('tenants.id', '>', after)
        .where((eb) =>
          eb.or([
            contains('tenants.id'),
            contains('accounts.email'),
            eb('tenants.owner_account_id', '=', accountId),
            eb.exists(
              eb
                .selectFrom('resources')
                .select('resources.id')
                .whereRef('resources.tenant_id', '=', 'tenants.id')
                .where('resources.status', '=', sql.lit('active' as const))
                .where(contains('resources.callback_urls')),
            ),
          ]),
        )
        .orderBy('tenants.id')
        .limit(limit)
        .execute()
      return rows.map(tenantFrom)
    },
  }
}

/**
 * One conditional update: of two suspensions, or two lifts, only the first has an effect. The generation gives the
 * revocations an order, so that every instance ends with the last one.
 */
function change(
  access: Access,
  tenantId: string,
  suspension: { readonly at: number; readonly reason: string } | null,
  now: number,
): Promise<boolean> {
  return access.inTransaction(async (open) => {
    const row = await open.write
      .updateTable('tenants')
      .set((eb) => ({
        suspended_at: suspension?.at ?? null,
        suspension_reason: suspension?.reason ?? null,
        suspension_generation: eb('suspension_generation', '+', 1),
      }))
      .where('id', '=', tenantId)
      .where('suspended_at', suspension === null ? 'is not' : 'is', null)
      .where('ended_at', 'is', null)
      .returning('suspension_generation as generation')
      .executeTakeFirst()
    if (row === undefined) {
      return false
    }

    const kind = suspension === null ? 'tenant-lifted' : 'tenant-suspended'
    const until = latestTokenExpiry(now)
    await publishRevocation(open, { kind, tenantId, generation: row.generation, until }, now)
    open.pendingEvents.changedTenants.add(tenantId)
    // The webhooks of the tenant have waited for the lift.
    if (suspension === null) {
      open.pendingEvents.deliverable.push({ tenantId, kinds: WEBHOOK_KINDS })
    }
    return true
  })
}

const findAny = statement((db: Kysely<Tables>, { hosts }: Slots<{ hosts: readonly string[] }>) =>
  db.selectFrom('blocked_hosts').select('host').where('host', 'in', hosts),
)

export function blockedHostStore(access: Access): BlockedHostStore {
  return {
    async add(host, reason, now) {
      const row = await access.write
        .insertInto('blocked_hosts')
        .values({ host, reason, blocked_at: now })
        .onConflict((conflict) => conflict.column('host').doNothing())
        .returning('host')
        .executeTakeFirst()
      return row !== undefined
    },

    async remove(host) {
      const { numDeletedRows } = await access.write
        .deleteFrom('blocked_hosts')
        .where('host', '=', host)
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },

    async findAny(hosts) {
      if (hosts.length === 0) {
        return null
      }
      return findAny.find(access.read, { hosts }, ({ host }) => host)
    },

    async list() {
      const rows = await access.read
        .selectFrom('blocked_hosts')
        .select(['host', 'reason', 'blocked_at'])
        .orderBy('host')
        .execute()
      return rows.map(camelCase)
    },
  }
}
