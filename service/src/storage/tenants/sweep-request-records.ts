import type { RequestRecordStore } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'

/** How many new records one call looks at, and in what steps. */
const ROWS_PER_LOOK = 1_000
const LOOKS = 20

/**
 * Age is easy: there is an index on it. For "the newest so many of each tenant" a look at every tenant would be a look
 * at everything, so we follow the writes instead: only a tenant that was written for since our last look can have too
 * many now. How far we have looked is kept in memory and no longer; a process that starts walks through the table once,
 * a bounded stretch at each call. Two instances that sweep remove nothing twice, and nothing that should stay.
 */
export function requestRecordSweeper(access: Access): RequestRecordStore['sweep'] {
  let lookedUpTo = 0

  return async (before, keep, limit) => {
    let removed = await removeOlder(access, before, limit)
    for (let look = 0; look < LOOKS && removed < limit; look += 1) {
      const { tenantIds, last } = await writtenFor(access, lookedUpTo)
      for (const tenantId of tenantIds) {
        if (removed < limit) removed += await removeAllBut(access, tenantId, keep, limit - removed)
      }
      // Cut short by the limit, some of these tenants may have more to give: they are looked at again.
      if (last === null || removed >= limit) break
      lookedUpTo = last
    }
    return removed
  }
}

async function removeOlder({ write }: Access, before: number, limit: number): Promise<number> {
  const { numDeletedRows } = await write
    .deleteFrom('request_records')
    .where('id', 'in', (eb) =>
      eb.selectFrom('request_records').select('id').where('at_ms', '<', before).orderBy('at_ms').limit(limit),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

async function writtenFor({ read }: Access, after: number): Promise<{ tenantIds: Set<string>; last: number | null }> {
  const rows = await read
    .selectFrom('request_records')
    .select(['id', 'tenant_id'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(ROWS_PER_LOOK)
    .execute()
  return { tenantIds: new Set(rows.map((row) => row.tenant_id)), last: rows.at(-1)?.id ?? null }
}

async function removeAllBut({ write }: Access, tenantId: string, keep: number, limit: number): Promise<number> {
  const { numDeletedRows } = await write
    .deleteFrom('request_records')
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('request_records')
        .select('id')
        .where('tenant_id', '=', tenantId)
        .orderBy('at_ms', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(keep),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
