import type { Bench } from '../bench.ts'
import { glewlwydMissing } from '../contenders/glewlwyd/setup.ts'
import { REFRESH, REFRESH_SETUPS, refreshOfBuild, refreshWithWebhooks } from '../contenders/refresh-setups.ts'
import { closeAll, type Setup } from '../contenders/setup.ts'
import type { Row } from '../report/row.ts'
import { measure } from './measure.ts'
import { refreshOnPostgres } from './refresh-postgres.ts'

/** Refresh with rotation, with each contender's durability. */
export async function refresh(bench: Bench): Promise<Row[]> {
  const rows = await refreshOverHttp(bench)
  const onPostgres = bench.options.contenders.includes('gatehouse') && bench.options.postgres
  return onPostgres ? [...rows, ...(await refreshOnPostgres(bench))] : rows
}

async function refreshOverHttp(bench: Bench): Promise<Row[]> {
  const setups: Setup[] = []
  try {
    for (const contender of bench.options.contenders) {
      setups.push(...((await REFRESH_SETUPS[contender]?.(bench)) ?? []))
    }
    const { contenders, quick } = bench.options
    if (contenders.includes('gatehouse') && !quick)
      setups.push(await refreshOfBuild(bench), await refreshWithWebhooks(bench))
    const rows = await measure(bench, 'refresh', setups)
    return [...rows, ...(await glewlwydMissing(bench, 'refresh', REFRESH))]
  } finally {
    await closeAll(setups)
  }
}
