import path from 'node:path'
import type { Bench } from '../bench.ts'
import { productionSettings } from '../contenders/gatehouse/settings.ts'
import { startGatehouse } from '../contenders/gatehouse/start.ts'
import { betterAuth } from '../contenders/peer-entries.ts'
import { startEcho } from '../contenders/start-echo.ts'
import type { ContenderName } from '../options.ts'
import { startPeer } from '../peers/start-peer.ts'
import type { Program } from '../processes/program.ts'
import type { Row } from '../report/row.ts'
import { importCosts } from './import-costs.ts'

export const FIRST_ANSWER = 'from start to first answer'

interface Starter {
  readonly contender: string
  start(): Promise<Program>
}

/** From the start of the process to its first answer. The very first start is not counted: it fills the caches. */
export async function start(bench: Bench): Promise<Row[]> {
  const starters = await startersOf(bench)
  bench.say(`start: ${bench.options.rounds} rounds for ${starters.map(({ contender }) => contender).join(', ')}`)
  const times = new Map<string, number[]>(starters.map(({ contender }) => [contender, []]))
  for (let round = -1; round < bench.options.rounds; round++) {
    for (const starter of starters) {
      const program = await starter.start()
      await program.stop()
      if (round >= 0) times.get(starter.contender)?.push(program.startedInMs)
    }
  }
  const rows = starters.map(
    ({ contender }): Row => ({
      piece: 'start',
      work: FIRST_ANSWER,
      contender,
      figures: { startMs: times.get(contender) ?? [] },
    }),
  )
  return bench.options.quick ? rows : [...rows, ...(await importCosts(bench))]
}

async function startersOf(bench: Bench): Promise<Starter[]> {
  const settings = await productionSettings(path.join(bench.folder, 'start'))
  // Ours keeps what V8 made of its code, as shipped. The peers are given the same, which they would not have.
  const cached = { NODE_COMPILE_CACHE: path.join(bench.folder, 'compile-cache') }
  const database = betterAuth(bench, false)
  const starters: Partial<Record<ContenderName, Starter[]>> = {
    echo: [{ contender: 'echo', start: () => startEcho(bench) }],
    gatehouse: [{ contender: 'gatehouse', start: () => startGatehouse(bench, settings, { name: 'gatehouse-start' }) }],
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
  }
  return bench.options.contenders.flatMap((name) => starters[name] ?? [])
}
