import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Bench } from '../bench.ts'
import { startEcho } from '../contenders/echo-setup.ts'
import {
  NPM_START,
  npmStart,
  PRODUCTION_BUILD,
  productionSettings,
  startGatehouse,
} from '../contenders/gatehouse/start.ts'
import { findGlewlwyd } from '../contenders/glewlwyd/find.ts'
import { startGlewlwyd } from '../contenders/glewlwyd/start.ts'
import { betterAuth } from '../contenders/verify-setups.ts'
import type { ContenderName } from '../options.ts'
import { startPeer } from '../peers/start-peer.ts'
import type { Program } from '../processes/program.ts'
import { onCores, usageOfAll } from '../processes/usage.ts'
import type { Row } from '../report/row.ts'

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
  bench.log(
    `start: ${bench.options.rounds} rounds for ${startables.map(({ contender }) => contender).join(', ')}`,
  )
  const measured = new Map(
    startables.map(({ contender }) => [contender, { startMs: [], cpuMs: [] } as StartFigures]),
  )
  for (let round = -1; round < bench.options.rounds; round++) {
    for (const startable of startables) {
      const program = await startable.start()
      const { cpuMs } = usageOfAll([program.pid])
      await program.stop()
      if (round < 0) {
        continue
      }
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
      {
        contender: 'gatehouse',
        start: () => startGatehouse(bench, settings, { name: 'gatehouse-start' }),
      },
      {
        contender: PRODUCTION_BUILD,
        start: () =>
          startGatehouse(bench, settings, { name: 'gatehouse-build-start', build: 'production' }),
      },
      { contender: NPM_START, start: () => npmStart(bench, settings) },
    ],
    'better-auth': [
      { contender: 'better-auth', start: () => startPeer(bench, 'better-auth', database) },
      {
        contender: 'better-auth, with a compile cache',
        start: () =>
          startPeer(bench, 'better-auth', { ...database, env: { ...database.env, ...cached } }),
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
      {
        contender: 'openauth, with a compile cache',
        start: () => startPeer(bench, 'openauth', { env: cached }),
      },
    ],
    glewlwyd:
      typeof glewlwyd === 'string'
        ? []
        : [
            {
              contender: 'glewlwyd',
              start: () => startGlewlwyd(bench, glewlwyd, 'glewlwyd-start'),
            },
          ],
  }
  return bench.options.contenders.flatMap((name) => startables[name] ?? [])
}

const execute = promisify(execFile)
const SERVICE = path.resolve(import.meta.dirname, '../../../service')

/** Enough: imports of one package hardly differ. */
const ROUNDS = 3

const IMPORT = 'import, each package alone'

/** Measures inside the process, to exclude Node's own start. */
const PROGRAM = `
const [, name] = process.argv
const before = performance.now()
await import(name)
process.stdout.write(String(performance.now() - before))
process.exit()`

/** Import time of each dependency with its own dependencies, from a compile cache. */
async function importCosts(bench: Bench): Promise<Row[]> {
  const { dependencies } = JSON.parse(readFileSync(path.join(SERVICE, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  const modules = [...Object.keys(dependencies), path.join(SERVICE, 'src/app.ts')]
  bench.log(`start: ${modules.length} imports`)
  const times = new Map<string, number[]>(modules.map((name) => [name, []]))
  for (let round = -1; round < ROUNDS; round++) {
    for (const name of modules) {
      const ms = await importOnce(bench, name)
      if (round >= 0) {
        times.get(name)?.push(ms)
      }
    }
  }
  return modules.map((name) => ({
    benchmark: 'start',
    workload: IMPORT,
    contender: path.isAbsolute(name) ? 'the whole service' : name,
    figures: { importMs: times.get(name) ?? [] },
  }))
}

async function importOnce({ placement, folder }: Bench, name: string): Promise<number> {
  const args = ['--input-type=module', '--eval', PROGRAM, name]
  const { stdout } = await execute(...onCores(placement.contender, process.execPath, args), {
    cwd: SERVICE,
    env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: path.join(folder, 'compile-cache') },
  })
  return Number(stdout)
}
