import path from 'node:path'
import { startPostgres } from '../../../service/test/support/postgres/pg-server.ts'
import { diskShim, noDiskShim } from '../../faults/disk-shim.ts'
import type { Bench } from '../bench.ts'
import { type Population, populate } from '../contenders/gatehouse/populate.ts'
import { liveTokens, refreshData } from '../contenders/gatehouse/setups.ts'
import { productionSettings, type Settings, startGatehouse } from '../contenders/gatehouse/start.ts'
import { closeAll, type Setup } from '../contenders/setup.ts'
import { pacedRound, WrongResponse } from '../load/rounds.ts'
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
    const shared = await productionSettings(path.join(bench.folder, 'workers'), {
      DATABASE_URL: postgres.url,
    })
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
  const program = await startGatehouse(bench, settings, {
    name: `gatehouse-workers-${count}`,
    cores: null,
  })
  const driver = await startDriver({
    workload: 'replay',
    data: liveTokens(population),
    file: path.join(bench.folder, `workers-${count}.json`),
    port: program.port,
    cores: null,
  })
  const contender = count === '1' ? ONE_PROCESS : TWO_PROCESSES
  return {
    contender,
    workload: WORKERS,
    pids: () => withChildren(program.pid),
    driver,
    programs: [program],
  }
}

const SYNC_MS = 20
const REFRESHING = [4, 32]
const VERIFYING_TENANTS = 200

/** Verify is paced: a client that waits for each response would send least while the service stands still. */
export const verifyBeside = (clients: number): string =>
  `verify, while ${clients} clients refresh on a slow disk`
const refreshOf = (clients: number): string => `refresh on a slow disk, ${clients} clients`

/** Whether the disk holds up verify: every fsync takes 20 ms (workshop/faults/disk-shim.c). */
export async function slowDisk(bench: Bench): Promise<Row[]> {
  if (!bench.options.contenders.includes('gatehouse')) {
    return []
  }
  const row = { benchmark: 'slow-disk', contender: 'gatehouse' } as const
  if (noDiskShim !== false) {
    const durability = `not measured: ${noDiskShim}`
    return REFRESHING.map((clients) => ({
      ...row,
      workload: verifyBeside(clients),
      durability,
      figures: { p99Ms: [] },
    }))
  }
  const settings = await productionSettings(path.join(bench.folder, 'slow-disk'))
  const { tenants } = await populate(bench, settings)
  // A refresh would end the tokens that verify expects to be valid.
  const verifying = { tenants: tenants.slice(0, VERIFYING_TENANTS) }
  const refreshing = { tenants: tenants.slice(VERIFYING_TENANTS) }
  const slow = { ...settings, LD_PRELOAD: await diskShim(), SYNC_MS: String(SYNC_MS) }
  const program = await startGatehouse(bench, slow, { name: 'gatehouse-slow-disk' })
  const refreshes = await startDriver({
    workload: 'refresh',
    data: refreshData(refreshing),
    file: path.join(bench.folder, 'slow-disk.json'),
    port: program.port,
    cores: bench.placement.load,
  })
  const { rounds, seconds, warmUpSeconds } = bench.options
  const exchanges = liveTokens(verifying)
  const both = async (clients: number, seconds: number) => {
    await refreshes.prepare()
    const [verified, refreshed] = await Promise.all([
      pacedRound({ exchanges, port: program.port, seconds }),
      refreshes.round({ connections: clients, seconds }),
    ])
    const problem = verified.problem ?? refreshed.problem
    if (problem !== null) {
      throw new WrongResponse(`gatehouse on a slow disk: ${problem}`)
    }
    return [verified, refreshed] as const
  }
  try {
    bench.log(
      `slow-disk: ${rounds} rounds of ${seconds} s each with ${REFRESHING.join(' and ')} clients that refresh`,
    )
    for (const clients of REFRESHING) {
      await both(clients, warmUpSeconds)
    }
    const results = REFRESHING.map((): Awaited<ReturnType<typeof both>>[] => [])
    for (let round = 0; round < rounds; round += 1) {
      for (const [at, clients] of REFRESHING.entries()) {
        results[at]?.push(await both(clients, seconds))
      }
    }
    return REFRESHING.flatMap((clients, at) =>
      [verifyBeside(clients), refreshOf(clients)].map((workload, which) => {
        const samples = (results[at] ?? []).map((pair) => pair[which])
        const each = (figure: (sample: (typeof samples)[number]) => number) => samples.map(figure)
        return {
          ...row,
          workload,
          durability: `SQLite, fsync of ${SYNC_MS} ms`,
          figures: {
            perSecond: each((sample) => (sample?.requests ?? 0) / (sample?.seconds ?? 1)),
            p50Ms: each((sample) => sample?.p50Ms ?? Number.NaN),
            p99Ms: each((sample) => sample?.p99Ms ?? Number.NaN),
          },
        }
      }),
    )
  } finally {
    refreshes.stop()
    await program.stop()
  }
}
