import path from 'node:path'
import { startPostgres } from '../../service/test/support/postgres/pg-server.ts'
import type { Bench } from '../bench.ts'
import { closeAll, type Entry } from '../contenders/entry.ts'
import { populated } from '../contenders/gatehouse/populated.ts'
import type { Population } from '../contenders/gatehouse/population.ts'
import { productionSettings, type Settings } from '../contenders/gatehouse/settings.ts'
import { startGatehouse } from '../contenders/gatehouse/start.ts'
import { liveTokens } from '../contenders/gatehouse/verify-entries.ts'
import { startDriver } from '../load/start-driver.ts'
import { withChildren } from '../processes/usage.ts'
import type { Row } from '../report/row.ts'
import { measured } from './measured.ts'

export const WORKERS = 'verify, on all cores with the load'
export const ONE_PROCESS = 'gatehouse, one process'
export const TWO_PROCESSES = 'gatehouse, WORKERS=2'

/** Each of two processes gets half of the requests, so that it takes them longer until all of it is compiled. */
const WARM_UP_SECONDS = 6

/** One process against two that share the port and the database. Nothing is pinned: they share the cores as they can. */
export async function workers(bench: Bench): Promise<Row[]> {
  const postgres = await startPostgres()
  const entries: Entry[] = []
  try {
    const shared = await productionSettings(path.join(bench.folder, 'workers'), { DATABASE_URL: postgres.url })
    const population = await populated(bench, shared)
    for (const count of ['1', '2']) {
      const { PORT } = await productionSettings(bench.folder)
      entries.push(await entryWith(bench, population, { ...shared, PORT, WORKERS: count }))
    }
    const patient = { ...bench, options: { ...bench.options, warmUpSeconds: WARM_UP_SECONDS } }
    return await measured(patient, 'workers', entries)
  } finally {
    await closeAll(entries)
    await postgres.stop()
  }
}

async function entryWith(bench: Bench, population: Population, settings: Settings): Promise<Entry> {
  const { WORKERS: count = '1' } = settings
  const program = await startGatehouse(bench, settings, { name: `gatehouse-workers-${count}`, cores: null })
  const driver = await startDriver({
    work: 'replay',
    data: liveTokens(population),
    file: path.join(bench.folder, `workers-${count}.json`),
    port: program.port,
    cores: null,
  })
  const contender = count === '1' ? ONE_PROCESS : TWO_PROCESSES
  return { contender, work: WORKERS, pids: () => withChildren(program.pid), driver, programs: [program] }
}
