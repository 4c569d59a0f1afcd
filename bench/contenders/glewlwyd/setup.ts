import path from 'node:path'
import type { Bench } from '../../bench.ts'
import { startDriver } from '../../load/start-driver.ts'
import type { Row } from '../../report/row.ts'
import type { Setup } from '../setup.ts'
import { findGlewlwyd } from './find.ts'
import { populateGlewlwyd } from './populate.ts'
import { startGlewlwyd } from './start.ts'

/** Fewer than other contenders have, which is in its favor: each sign-in hashes a password. */
const SESSIONS = 200

const CONTENDERS = { verify: 'Glewlwyd introspection', refresh: 'Glewlwyd' } as const

/** None where Glewlwyd can't be installed. */
export async function glewlwydSetups(bench: Bench, kind: 'verify' | 'refresh', workload: string): Promise<Setup[]> {
  const program = await findGlewlwyd()
  if (typeof program === 'string') return []
  const contender = CONTENDERS[kind]
  bench.log(`creating ${SESSIONS} sessions in ${contender}`)
  const running = await startGlewlwyd(bench, program, `glewlwyd-${kind}`)
  const workloads = await populateGlewlwyd(running.port, SESSIONS)
  const driver = await startDriver({
    workload: kind === 'verify' ? 'replay' : 'refresh',
    data: workloads[kind],
    file: path.join(bench.folder, `glewlwyd-${kind}.json`),
    port: running.port,
    cores: bench.placement.load,
  })
  const durability = `C, SQLite, WAL, synchronous FULL, ${SESSIONS} sessions`
  return [{ contender, workload, durability, pids: () => [running.pid], driver, programs: [running] }]
}

/** A row that says why there are no figures, if Glewlwyd was to be measured and can't be installed. */
export async function glewlwydMissing(bench: Bench, kind: 'verify' | 'refresh', workload: string): Promise<Row[]> {
  if (!bench.options.contenders.includes('glewlwyd')) return []
  const program = await findGlewlwyd()
  if (typeof program !== 'string') return []
  return [{ benchmark: kind, workload, contender: CONTENDERS[kind], durability: program, figures: {} }]
}
