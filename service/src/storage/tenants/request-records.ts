import type { Selectable } from 'kysely'
import type { RequestRecord, RequestRecordStore } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'
import { camelCase } from '../columns.ts'
import { removeByTenant } from '../sweep-expired.ts'
import type { Tables } from '../tables/tables.ts'

const COLUMNS = [
  'id',
  'tenant_id',
  'at_ms',
  'method',
  'route',
  'status',
  'ms',
  'request_id',
] as const

/** Both engines limit the parameters of a statement and the parts of a union. */
const ROWS_PER_STATEMENT = 500
const TENANTS_PER_STATEMENT = 50

export function requestRecordStore(access: Access): RequestRecordStore {
  const newestOf = (tenantId: string, since: number, limit: number) =>
    access.read
      .selectFrom('request_records')
      .select(COLUMNS)
      .where('tenant_id', '=', tenantId)
      .where('at_ms', '>', since)
      .orderBy('at_ms', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)

  // The newest of each tenant, merged: neither engine reads more rows than that.
  const newestOfAny = (tenantIds: readonly string[], since: number, limit: number) => {
    const [first, ...others] = tenantIds.map((tenantId) =>
      access.read.selectFrom(newestOf(tenantId, since, limit).as('one')).select(COLUMNS),
    )
    const all = others.reduce(
      (merged, each) => merged.unionAll(each),
      first as NonNullable<typeof first>,
    )
    return all.orderBy('at_ms', 'desc').orderBy('id', 'desc').limit(limit).execute()
  }

  return {
    async append(records) {
      for (const some of chunksOf(records, ROWS_PER_STATEMENT)) {
        await access.write.insertInto('request_records').values(some.map(rowFrom)).execute()
      }
    },

    async recent(tenantIds, since, limit) {
      const found: Row[] = []
      for (const some of chunksOf(tenantIds, TENANTS_PER_STATEMENT)) {
        found.push(...(await newestOfAny(some, since, limit)))
      }
      found.sort((a, b) => b.at_ms - a.at_ms || b.id - a.id)
      return found.slice(0, limit).map(recordFrom)
    },

    sweep: requestRecordSweeper(access),

    removeByTenant: removeByTenant(access, 'request_records'),
  }
}

const chunksOf = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    all.slice(at * size, (at + 1) * size),
  )

type Row = Selectable<Tables['request_records']>

const rowFrom = ({ tenantId, at, method, route, status, ms, requestId }: RequestRecord) => ({
  tenant_id: tenantId,
  at_ms: at,
  method,
  route,
  status,
  ms,
  request_id: requestId,
})

const recordFrom = ({ id, ...row }: Row): RequestRecord => camelCase(row)

/** How many new records one sweep reads, and in what steps. */
const ROWS_PER_STEP = 1_000
const STEPS_PER_SWEEP = 20

/**
 * Deletes by age, for which there is an index, and then all but the newest `keep` records of each tenant. Only a tenant
 * with new records can have too many, so each sweep follows the ids written since the last one instead of checking all
 * tenants. The position is kept in memory: a new process reads through the table once, a bounded part per sweep.
 * Concurrent sweeps of two instances are harmless.
 */
function requestRecordSweeper(access: Access): RequestRecordStore['sweep'] {
  let position = 0

  return async (before, keep, limit) => {
    let removed = await removeOlder(access, before, limit)
    for (let step = 0; step < STEPS_PER_SWEEP && removed < limit; step += 1) {
      const { tenantIds, last } = await tenantsWrittenAfter(access, position)
      for (const tenantId of tenantIds) {
        if (removed < limit) {
          removed += await removeAllBut(access, tenantId, keep, limit - removed)
        }
      }
      // At the limit, some of these tenants may still have too many: the next sweep repeats the step.
      if (last === null || removed >= limit) {
        break
      }
      position = last
    }
    return removed
  }
}

async function removeOlder({ write }: Access, before: number, limit: number): Promise<number> {
  const { numDeletedRows } = await write
    .deleteFrom('request_records')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('request_records')
        .select('id')
        .where('at_ms', '<', before)
        .orderBy('at_ms')
        .limit(limit),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

async function tenantsWrittenAfter(
  { read }: Access,
  after: number,
): Promise<{ tenantIds: Set<string>; last: number | null }> {
  const rows = await read
    .selectFrom('request_records')
    .select(['id', 'tenant_id'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(ROWS_PER_STEP)
    .execute()
  return { tenantIds: new Set(rows.map((row) => row.tenant_id)), last: rows.at(-1)?.id ?? null }
}

async function removeAllBut(
  { write }: Access,
  tenantId: string,
  keep: number,
  limit: number,
): Promise<number> {
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
