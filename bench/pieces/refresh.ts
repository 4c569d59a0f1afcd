import type { Bench } from '../bench.ts'
import { closeAll, type Entry } from '../contenders/entry.ts'
import { REFRESHERS } from '../contenders/refresh-entries.ts'
import type { Row } from '../report/row.ts'
import { measured } from './measured.ts'
import { refreshOnPostgres } from './refresh-postgres.ts'

/** A new pair for an old one, durably where somebody promises it. */
export async function refresh(bench: Bench): Promise<Row[]> {
  const rows = await refreshOverHttp(bench)
  const onPostgres = bench.options.contenders.includes('gatehouse') && bench.options.postgres
  return onPostgres ? [...rows, ...(await refreshOnPostgres(bench))] : rows
}

async function refreshOverHttp(bench: Bench): Promise<Row[]> {
  const entries: Entry[] = []
  try {
    for (const contender of bench.options.contenders) {
      const entry = await REFRESHERS[contender]?.(bench)
      if (entry !== undefined) entries.push(entry)
    }
    return await measured(bench, 'refresh', entries)
  } finally {
    await closeAll(entries)
  }
}
