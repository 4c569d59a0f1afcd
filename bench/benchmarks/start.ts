import path from 'node:path'
import type { Bench } from '../bench.ts'
import { productionSettings } from '../contenders/gatehouse/settings.ts'
import { PRODUCTION_BUILD, startGatehouse } from '../contenders/gatehouse/start.ts'
import { findGlewlwyd } from '../contenders/glewlwyd/find.ts'
import { startGlewlwyd } from '../contenders/glewlwyd/start.ts'
import { betterAuth } from '../contenders/peer-setup.ts'
import { startEcho } from '../contenders/start-echo.ts'
import type { ContenderName } from '../options.ts'
import { startPeer } from '../peers/start-peer.ts'
import type { Program } from '../processes/program.ts'
import { usageOfAll } from '../processes/usage.ts'
import type { Row } from '../report/row.ts'
import { importCosts } from './import-costs.ts'

export const FIRST_RESPONSE = 'from start to first response'

interface Startable {
  readonly contender: string
  start(): Promise<Program>
}

interface StartFigures {
  readonly startMs: number[]
  readonly cpuMs: number[]
}

/** From the start of the process to its first response. The first start fills the caches and is not counted. */
export async function start(bench: Bench): Promise<Row[]> {
  const startables = await startablesOf(bench)
  bench.log(`start: ${bench.options.rounds} rounds for ${startables.map(({ contender }) => contender).join(', ')}`)
  const measured = new Map(startables.map(({ contender }) => [contender, { startMs: [], cpuMs: [] } as StartFigures]))
  for (let round = -1; round < bench.options.rounds; round++) {
    for (const startable of startables) {
      const program = await startable.start()
      const { cpuMs } = usageOfAll([program.pid])
      await program.stop()
      if (round < 0) continue
      measured.get(startable.contender)?.startMs.push(program.startedInMs)
      measured.get(startable.contender)?.cpuMs.push(cpuMs)
    }
  }
  const rows = startables.map(
    ({ contender }): Row => ({
      benchmark: 'start',
      workload: FIRST_RESPONSE,
      contender,
      figures: { ...measured.get(contender) },
    }),
  )
  return bench.options.quick ? rows : [...rows, ...(await importCosts(bench))]
}

async function startablesOf(bench: Bench): Promise<Startable[]> {
  const settings = await productionSettings(path.join(bench.folder, 'start'))
  // Our service ships with a compile cache. Each peer is measured without and with one.
  const cached = { NODE_COMPILE_CACHE: path.join(bench.folder, 'compile-cache') }
  const database = betterAuth(bench, false)
  const glewlwyd = bench.options.contenders.includes('glewlwyd') ? await findGlewlwyd() : ''
  const startables: Partial<Record<ContenderName, Startable[]>> = {
    echo: [{ contender: 'echo', start: () => startEcho(bench) }],
    gatehouse: [
      { contender: 'gatehouse', start: () => startGatehouse(bench, settings, { name: 'gatehouse-start' }) },
      {
        contender: PRODUCTION_BUILD,
        start: () => startGatehouse(bench, settings, { name: 'gatehouse-build-start', build: 'production' }),
      },
    ],
    'better-auth': [
      { contender: 'better-auth', start: () => startPeer(bench, 'better-auth', database) },
      {
        contender: 'better-auth, with a compile cache',
        start: () => startPeer(bench, 'better-auth', { ...database, env: { ...database.env, ...cached } }),
      },
    ],
    'oidc-provider': [
      { contender: 'oidc-provider', start: () => startPeer(bench, 'oidc-provider') },
      {
        contender: 'oidc-provider, with a compile cache',
        start: () => startPeer(bench, 'oidc-provider', { env: cached }),
      },
    ],
    openauth: [
      { contender: 'openauth', start: () => startPeer(bench, 'openauth') },
      { contender: 'openauth, with a compile cache', start: () => startPeer(bench, 'openauth', { env: cached }) },
    ],
    glewlwyd:
      typeof glewlwyd === 'string'
        ? []
        : [{ contender: 'glewlwyd', start: () => startGlewlwyd(bench, glewlwyd, 'glewlwyd-start') }],
  }
  return bench.options.contenders.flatMap((name) => startables[name] ?? [])
}
