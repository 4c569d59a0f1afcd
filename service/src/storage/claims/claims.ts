import { type Selectable, sql } from 'kysely'
import type { Claim } from '../../domain/claims/claim.ts'
import type { ClaimStore } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'
import { camelCase } from '../columns.ts'
import { removeByTenant } from '../sweep-expired.ts'
import type { Tables } from '../tables/tables.ts'

export function claimStore(access: Access): ClaimStore {
  const findBy = async (
    column: 'token_hash' | 'wait_hash',
    hashes: readonly string[],
  ): Promise<Claim | null> => {
    if (hashes.length === 0) {
      return null
    }
    const row = await access.read
      .selectFrom('claims')
      .select(COLUMNS)
      .where(column, 'in', hashes)
      .executeTakeFirst()
    return row === undefined ? null : claimFrom(row)
  }

  return {
    async open({ tenantId, confirmationCode, createdAt, expiresAt }, tokenHash, waitHash) {
      return access.inTransaction(async ({ write, pendingEvents }) => {
        pendingEvents.changedTenants.add(tenantId)
        await write
          .deleteFrom('claims')
          .where('tenant_id', '=', tenantId)
          .where('expires_at', '<', createdAt - KEPT_AFTER_EXPIRY_MS)
          .execute()
        // A concurrent transaction may insert a pending claim after the update. The unique index makes the insert wait
        // for it and then do nothing; the next pass supersedes that claim.
        for (;;) {
          await write
            .updateTable('claims')
            .set({ decision: 'superseded', decided_at: createdAt })
            .where((eb) => eb.and({ tenant_id: tenantId, decision: PENDING }))
            .execute()
          const row = await write
            .insertInto('claims')
            .values({
              tenant_id: tenantId,
              token_hash: tokenHash,
              wait_hash: waitHash,
              confirmation_code: confirmationCode,
              decision: 'pending',
              created_at: createdAt,
              expires_at: expiresAt,
              decided_at: null,
              decided_by: null,
              decision_hash: null,
            })
            .onConflict((conflict) =>
              conflict.column('tenant_id').where('decision', '=', PENDING).doNothing(),
            )
            .returning(COLUMNS)
            .executeTakeFirst()
          if (row !== undefined) {
            return claimFrom(row)
          }
        }
      })
    },

    findByToken: (hashes) => findBy('token_hash', hashes),

    findByWaitToken: (hashes) => findBy('wait_hash', hashes),

    async decide(claimId, decision, accountId, now, decisionHash) {
      return access.inTransaction(async ({ write, pendingEvents }) => {
        const row = await write
          .updateTable('claims')
          .set({
            decision,
            decided_at: now,
            decided_by: accountId,
            decision_hash: decisionHash ?? null,
          })
          .where((eb) => eb.and({ id: claimId, decision: PENDING }))
          .where('expires_at', '>', now)
          .returning('tenant_id')
          .executeTakeFirst()
        if (row === undefined) {
          return false
        }
        pendingEvents.changedTenants.add(row.tenant_id)
        return true
      })
    },

    removeByTenant: removeByTenant(access, 'claims'),
  }
}

// A literal: the planner uses a partial index only if the statement's text implies its condition.
const PENDING = sql.lit('pending' as const)

/**
 * An expired link shows its outcome for an hour. Opening a newer link then deletes its row, so that a tenant keeps only the
 * links of about an hour and a half, however many it requests.
 */
const KEPT_AFTER_EXPIRY_MS = 3_600_000

const COLUMNS = [
  'id',
  'tenant_id',
  'confirmation_code',
  'decision',
  'created_at',
  'expires_at',
  'decided_at',
  'decided_by',
  'decision_hash',
] as const

const claimFrom = (row: Pick<Selectable<Tables['claims']>, (typeof COLUMNS)[number]>): Claim =>
  camelCase(row)
