import path from 'node:path'
import type { Bench } from '../bench.ts'
import { productionSettings } from '../contenders/gatehouse/settings.ts'
import { PRODUCTION_BUILD, startGatehouse } from '../contenders/gatehouse/start.ts'
import { betterAuth } from '../contenders/peer-setup.ts'
import { startEcho } from '../contenders/start-echo.ts'
import type { ContenderName } from '../options.ts'
import { startPeer } from '../peers/start-peer.ts'
import type { Program } from '../processes/program.ts'
import type { Row } from '../report/row.ts'
import { importCosts } from './import-costs.ts'

export const FIRST_RESPONSE = 'from start to first response'

interface Startable {
  readonly contender: string
  start(): Promise<Program>
}

/** From the start of the process to its first response. The first start fills the caches and is not counted. */
export async function start(bench: Bench): Promise<Row[]> {
  const startables = await startablesOf(bench)
  bench.log(`start: ${bench.options.rounds} rounds for ${startables.map(({ contender }) => contender).join(', ')}`)
  const times = new Map<string, number[]>(startables.map(({ contender }) => [contender, []]))
  for (let round = -1; round < bench.options.rounds; round++) {
    for (const startable of startables) {
      const program = await startable.start()
      await program.stop()
      if (round >= 0) times.get(startable.contender)?.push(program.startedInMs)
    }
  }
  const rows = startables.map(
    ({ contender }): Row => ({
      benchmark: 'start',
      workload: FIRST_RESPONSE,
      contender,
      figures: { startMs: times.get(contender) ?? [] },
    }),
  )
  return bench.options.quick ? rows : [...rows, ...(await importCosts(bench))]
}

async function startablesOf(bench: Bench): Promise<Startable[]> {
  const settings = await productionSettings(path.join(bench.folder, 'start'))
  // Our service ships with a compile cache. Each peer is measured without and with one.
  const cached = { NODE_COMPILE_CACHE: path.join(bench.folder, 'compile-cache') }
  const database = betterAuth(bench, false)
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
  }
  return bench.options.contenders.flatMap((name) => startables[name] ?? [])
}
