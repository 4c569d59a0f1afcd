import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench } from '../../bench.ts'
import { productionSettings } from '../../contenders/gatehouse/settings.ts'
import { PRODUCTION_BUILD, startGatehouse } from '../../contenders/gatehouse/start.ts'
import { findGlewlwyd } from '../../contenders/glewlwyd/find.ts'
import { startGlewlwyd } from '../../contenders/glewlwyd/start.ts'
import { betterAuth } from '../../contenders/peer-setup.ts'
import { startEcho } from '../../contenders/start-echo.ts'
import type { ContenderName } from '../../options.ts'
import { startPeer } from '../../peers/start-peer.ts'
import type { Program } from '../../processes/program.ts'
import { rssOf } from '../../processes/usage.ts'
import type { Row } from '../../report/row.ts'

export const IDLE = 'idle, five seconds after start'
const SETTLE_MS = 5_000
const MEGABYTE = 1_024 * 1_024

/** Null if it can't be installed here. */
type Start = (bench: Bench) => Promise<Program | null>

const gatehouse =
  (build: 'sources' | 'production'): Start =>
  async (bench) => {
    const settings = await productionSettings(path.join(bench.folder, `idle-${build}`))
    return startGatehouse(bench, settings, { name: `gatehouse-idle-${build}`, build })
  }

/** By the name in the report. */
const STARTS: Record<ContenderName, Readonly<Record<string, Start>>> = {
  echo: { echo: startEcho },
  gatehouse: { gatehouse: gatehouse('sources'), [PRODUCTION_BUILD]: gatehouse('production') },
  'better-auth': {
    'better-auth': (bench) =>
      startPeer(bench, 'better-auth', { ...betterAuth(bench, false), name: 'better-auth-idle' }),
  },
  'oidc-provider': { 'oidc-provider': (bench) => startPeer(bench, 'oidc-provider') },
  openauth: { openauth: (bench) => startPeer(bench, 'openauth') },
  express: { express: (bench) => startPeer(bench, 'express') },
  glewlwyd: {
    glewlwyd: async (bench) => {
      const program = await findGlewlwyd()
      return typeof program === 'string' ? null : startGlewlwyd(bench, program, 'glewlwyd-idle')
    },
  },
}

export async function idleMemory(bench: Bench): Promise<Row[]> {
  bench.log('memory: idle')
  const settled: Promise<Row>[] = []
  for (const [contender, start] of bench.options.contenders.flatMap((name) => Object.entries(STARTS[name]))) {
    const program = await start(bench)
    if (program === null) continue
    settled.push(rowOf(contender, program))
  }
  return Promise.all(settled)
}

/** The next contender starts meanwhile: that changes no other process's memory. */
async function rowOf(contender: string, program: Program): Promise<Row> {
  await sleep(SETTLE_MS)
  const figures = { rssMb: [rssOf(program.pid) / MEGABYTE] }
  await program.stop()
  return { benchmark: 'memory', workload: IDLE, contender, figures }
}
