import type { Selectable } from 'kysely'
import type { RequestRecord, RequestRecordStore } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'
import type { Tables } from '../tables.ts'
import { requestRecordSweeper } from './sweep-request-records.ts'

const COLUMNS = ['id', 'tenant_id', 'at_ms', 'method', 'route', 'status', 'ms', 'request_id'] as const

/** An engine has room for so many parameters in one statement, and for so many parts of one union. */
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

  // The newest of each tenant, and of those the newest: no engine then reads more than it must.
  const newestOfAny = (tenantIds: readonly string[], since: number, limit: number) => {
    const [first, ...others] = tenantIds.map((tenantId) =>
      access.read.selectFrom(newestOf(tenantId, since, limit).as('one')).select(COLUMNS),
    )
    const all = others.reduce((merged, each) => merged.unionAll(each), first as NonNullable<typeof first>)
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

    async removeByTenant(tenantId) {
      await access.write.deleteFrom('request_records').where('tenant_id', '=', tenantId).execute()
    },
  }
}

const chunksOf = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size))

const rowFrom = ({ tenantId, at, method, route, status, ms, requestId }: RequestRecord) => ({
  tenant_id: tenantId,
  at_ms: at,
  method,
  route,
  status,
  ms,
  request_id: requestId,
})

type Row = Selectable<Tables['request_records']>

const recordFrom = (row: Row): RequestRecord => ({
  tenantId: row.tenant_id,
  at: row.at_ms,
  method: row.method,
  route: row.route,
  status: row.status,
  ms: row.ms,
  requestId: row.request_id,
})
