import type { Claims } from '@gatehouse-auth/contract'
import type { Kysely, Selectable } from 'kysely'
import type { Invitation, InvitationRef } from '../../domain/login/invitation.ts'
import type { InvitationStore } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'
import { camelCase } from '../columns.ts'
import type { Slots } from '../slots.ts'
import { statement } from '../statement.ts'
import { removeByTenant, sweepExpired } from '../sweep-expired.ts'
import type { Tables } from '../tables/tables.ts'
import { lockTenant } from '../tenants/lock-tenant.ts'

export function invitationStore(access: Access): InvitationStore {
  return {
    async add({ tenantId, id, hash, email, claims, uses, createdAt, expiresAt }, limit) {
      return access.inTransaction(async (open) => {
        await lockTenant(open, tenantId)
        const { count } = await open.read
          .selectFrom('invitations')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('tenant_id', '=', tenantId)
          .executeTakeFirstOrThrow()
        if (Number(count) >= limit) {
          return false
        }

        await open.write
          .insertInto('invitations')
          .values({
            tenant_id: tenantId,
            id,
            hash,
            email,
            claims: JSON.stringify(claims),
            uses,
            used: 0,
            created_at: createdAt,
            expires_at: expiresAt,
          })
          .execute()
        return true
      })
    },

    find: (invitation) => find.find(access.read, { invitation }, invitationFrom),

    findByHash: (tenantId, hashes) =>
      findByHash.find(access.read, { tenantId, hashes }, invitationFrom),

    use: async (invitation, now) => (await use.run(access.write, { invitation, now })) === 1,

    async list(tenantId) {
      const rows = await byTenant.rows(access.read, { tenantId })
      return rows.map(invitationFrom)
    },

    async remove({ tenantId, id }) {
      const { numDeletedRows } = await access.write
        .deleteFrom('invitations')
        .where((eb) => eb.and({ tenant_id: tenantId, id }))
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },

    removeByTenant: removeByTenant(access, 'invitations'),
    sweep: sweepExpired(access, 'invitations', {
      key: ['tenant_id', 'id'],
      where: ['expires_at', '<'],
    }),
  }
}

const COLUMNS = [
  'tenant_id',
  'id',
  'email',
  'claims',
  'uses',
  'used',
  'created_at',
  'expires_at',
] as const

const select = (db: Kysely<Tables>) => db.selectFrom('invitations').select(COLUMNS)

const byTenant = statement((db, { tenantId }: Slots<{ tenantId: string }>) =>
  select(db).where('tenant_id', '=', tenantId).orderBy('created_at', 'desc').orderBy('id'),
)

interface One {
  readonly invitation: InvitationRef
}

const find = statement((db, { invitation }: Slots<One>) =>
  select(db).where('tenant_id', '=', invitation.tenantId).where('id', '=', invitation.id),
)

const findByHash = statement(
  (db, { tenantId, hashes }: Slots<{ tenantId: string; hashes: readonly string[] }>) =>
    select(db).where('tenant_id', '=', tenantId).where('hash', 'in', hashes),
)

/** One conditional update: of concurrent sign-ins, only as many as there are uses left change the row. */
const use = statement((db, { invitation, now }: Slots<One & { now: number }>) =>
  db
    .updateTable('invitations')
    .set((eb) => ({ used: eb('used', '+', 1) }))
    .where((eb) => eb.and({ tenant_id: invitation.tenantId, id: invitation.id }))
    .whereRef('used', '<', 'uses')
    .where('expires_at', '>', now),
)

const invitationFrom = (row: Omit<Selectable<Tables['invitations']>, 'hash'>): Invitation => ({
  ...camelCase(row),
  claims: JSON.parse(row.claims) as Claims,
})
