import path from 'node:path'
import { diskShim, noDiskShim } from '../../service/test/support/faults/disk-shim.ts'
import type { Bench } from '../bench.ts'
import { populate } from '../contenders/gatehouse/populate.ts'
import { refreshData } from '../contenders/gatehouse/refresh-setup.ts'
import { productionSettings } from '../contenders/gatehouse/settings.ts'
import { startGatehouse } from '../contenders/gatehouse/start.ts'
import { liveTokens } from '../contenders/gatehouse/verify-setups.ts'
import { pacedRound } from '../load/paced-round.ts'
import { WrongResponse } from '../load/rounds.ts'
import { startDriver } from '../load/start-driver.ts'
import type { Row } from '../report/row.ts'

const SYNC_MS = 20
const REFRESHING = [4, 32]
const VERIFYING_TENANTS = 200

/** Verify is paced: a client that waits for each response would send least while the service stands still. */
export const verifyBeside = (clients: number): string => `verify, while ${clients} clients refresh on a slow disk`
const refreshOf = (clients: number): string => `refresh on a slow disk, ${clients} clients`

/** Whether the disk holds up verify: every fsync takes 20 ms (service/test/support/faults/disk-shim.c). */
export async function slowDisk(bench: Bench): Promise<Row[]> {
  if (!bench.options.contenders.includes('gatehouse')) return []
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
    if (problem !== null) throw new WrongResponse(`gatehouse on a slow disk: ${problem}`)
    return [verified, refreshed] as const
  }
  try {
    bench.log(`slow-disk: ${rounds} rounds of ${seconds} s each with ${REFRESHING.join(' and ')} clients that refresh`)
    for (const clients of REFRESHING) await both(clients, warmUpSeconds)
    const results = REFRESHING.map((): Awaited<ReturnType<typeof both>>[] => [])
    for (let round = 0; round < rounds; round += 1)
      for (const [at, clients] of REFRESHING.entries()) results[at]?.push(await both(clients, seconds))
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
