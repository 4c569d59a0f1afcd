/**
 * How long other tenants wait while one tenant sends a lot, compared to without it, in one run on each engine:
 *
 *   node bench/fairness/run.ts [--engine sqlite|postgres] [--rounds 5] [--write]
 *
 * With --write the table replaces that of docs/scaling.md.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Engine } from '../../service/src/storage/engine.ts'
import { startPostgres } from '../../service/test/support/postgres/pg-server.ts'
import type { Bench } from '../bench.ts'
import { populate } from '../contenders/gatehouse/populate.ts'
import { interleavedSessions, type PopulatedTenant } from '../contenders/gatehouse/population.ts'
import { productionSettings } from '../contenders/gatehouse/settings.ts'
import { startGatehouse } from '../contenders/gatehouse/start.ts'
import type { Refreshable } from '../load/workloads/refresh.ts'
import { readOptions } from '../options.ts'
import { placement } from '../processes/cores.ts'
import type { BusyTenant } from './busy-tenant.ts'
import { startProvider } from './discovery.ts'
import { measureRound, startOthers } from './measure.ts'
import { report, type Unfairness, writeFairness } from './report.ts'

const REFRESHES = 2_000
const STARTS = { perSecond: 400, seconds: 3 }
const LOADS = [`${REFRESHES} refreshes at once`, `${STARTS.perSecond} starts a second`] as const
const OTHER_TENANTS = 200
/** The test server disables these. */
const DURABLE = ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on']

const { values } = parseArgs({
  options: {
    engine: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    write: { type: 'boolean', default: false },
  },
})
const rounds = Number(values.rounds)
const engines: Engine[] = values.engine === undefined ? ['sqlite', 'postgres'] : [values.engine as Engine]
const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-fairness-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
const log = (line: string): void => void process.stderr.write(`· ${line}\n`)
const bench: Bench = { options: readOptions([]), placement: placement(), folder, log }

const all: Unfairness[] = []
for (const engine of engines) all.push(...(await onEngine(engine)))
process.stdout.write(`\n${report(all)}\n`)
if (values.write) writeFairness(all)

async function onEngine(engine: Engine): Promise<Unfairness[]> {
  const server = engine === 'postgres' ? await startPostgres(DURABLE) : null
  const provider = await startProvider()
  const settings = await productionSettings(path.join(folder, engine), {
    GOOGLE_ISSUER: provider.issuer,
    ...(server === null ? {} : { DATABASE_URL: server.url }),
  })
  const { tenants: busy } = await populate(bench, settings, {
    tenants: LOADS.length * rounds,
    sessionsPerTenant: REFRESHES,
  })
  const { tenants } = await populate(bench, settings, { tenants: busy.length + OTHER_TENANTS })
  // The first tenants of both have the same owners, and so the same limits.
  const others = tenants.slice(busy.length)
  const program = await startGatehouse(bench, settings, { name: `gatehouse-fairness-${engine}` })
  const sampler = await startOthers(bench, program.port, refreshables(others))
  try {
    const measured: Unfairness[] = []
    for (const load of LOADS) {
      const results: Unfairness['rounds'][number][] = []
      for (let round = 0; round < rounds; round++) {
        const tenant = busy[measured.length * rounds + round] as PopulatedTenant
        const isRefresh = load.includes('refreshes')
        const work: BusyTenant = {
          refreshes: isRefresh ? refreshables([tenant]) : [],
          starts: isRefresh ? null : { ...STARTS, path: `/edge/auth/${tenant.id}/google` },
        }
        const result = await measureRound(bench, sampler, { port: program.port, work })
        log(`${engine}, ${load}: ${JSON.stringify(result)}`)
        results.push(result)
      }
      measured.push({ engine, load, rounds: results })
    }
    return measured
  } finally {
    sampler.stop()
    await program.stop()
    await server?.stop()
    provider.close()
  }
}

function refreshables(tenants: readonly PopulatedTenant[]): Refreshable[] {
  return interleavedSessions({ tenants }).map(({ tenantId, refresh_token: refreshToken }) => ({
    path: `/edge/auth/${tenantId}/refresh`,
    refreshToken,
  }))
}
