import path from 'node:path'
import { startPostgres } from '../../service/test/support/postgres/pg-server.ts'
import type { Bench } from '../bench.ts'
import { populate } from '../contenders/gatehouse/populate.ts'
import type { Population } from '../contenders/gatehouse/population.ts'
import { productionSettings, type Settings } from '../contenders/gatehouse/settings.ts'
import { startGatehouse } from '../contenders/gatehouse/start.ts'
import { liveTokens } from '../contenders/gatehouse/verify-setups.ts'
import { closeAll, type Setup } from '../contenders/setup.ts'
import { startDriver } from '../load/start-driver.ts'
import { withChildren } from '../processes/usage.ts'
import type { Row } from '../report/row.ts'
import { measure } from './measure.ts'

export const WORKERS = 'verify, cores shared with the load generator'
export const ONE_PROCESS = 'gatehouse, one process'
export const TWO_PROCESSES = 'gatehouse, WORKERS=2'

/** Each of two processes gets half of the requests, so compiling takes longer. */
const WARM_UP_SECONDS = 6

/** One process compared to two that share port and database. No process is pinned to a core. */
export async function workers(bench: Bench): Promise<Row[]> {
  const postgres = await startPostgres()
  const setups: Setup[] = []
  try {
    const shared = await productionSettings(path.join(bench.folder, 'workers'), { DATABASE_URL: postgres.url })
    const population = await populate(bench, shared)
    for (const count of ['1', '2']) {
      const { PORT } = await productionSettings(bench.folder)
      setups.push(await setupWith(bench, population, { ...shared, PORT, WORKERS: count }))
    }
    const workersBench = { ...bench, options: { ...bench.options, warmUpSeconds: WARM_UP_SECONDS } }
    return await measure(workersBench, 'workers', setups)
  } finally {
    await closeAll(setups)
    await postgres.stop()
  }
}

async function setupWith(bench: Bench, population: Population, settings: Settings): Promise<Setup> {
  const { WORKERS: count = '1' } = settings
  const program = await startGatehouse(bench, settings, { name: `gatehouse-workers-${count}`, cores: null })
  const driver = await startDriver({
    workload: 'replay',
    data: liveTokens(population),
    file: path.join(bench.folder, `workers-${count}.json`),
    port: program.port,
    cores: null,
  })
  const contender = count === '1' ? ONE_PROCESS : TWO_PROCESSES
  return { contender, workload: WORKERS, pids: () => withChildren(program.pid), driver, programs: [program] }
}
