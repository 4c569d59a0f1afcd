import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Engine } from '../../../service/src/storage/engine.ts'
import { startPostgres } from '../../../service/test/support/postgres/pg-server.ts'
import type { Bench } from '../bench.ts'
import {
  interleavedSessions,
  type PopulatedTenant,
  populate,
} from '../contenders/gatehouse/populate.ts'
import { productionSettings, startGatehouse } from '../contenders/gatehouse/start.ts'
import type { Refreshable } from '../load/workloads/refresh.ts'
import { readOptions } from '../options.ts'
import { placement } from '../processes/usage.ts'
import { medianOf } from '../statistics.ts'
import type { BusyTenant } from './busy-tenant.ts'
import { measureRound, type Round, startOthers, type Wait } from './measure.ts'

/**
 * How long other tenants wait while one tenant sends a lot, compared to without it, in one run on each engine:
 *
 *   node workshop/bench/fairness/run.ts [--engine sqlite|postgres] [--rounds 5]
 */
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
  },
})
const rounds = Number(values.rounds)
const engines: Engine[] =
  values.engine === undefined ? ['sqlite', 'postgres'] : [values.engine as Engine]
const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-fairness-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => process.exit(1))
}
const log = (line: string): void => void process.stderr.write(`· ${line}\n`)
const bench: Bench = { options: readOptions([]), placement: placement(), folder, log }

const all: Unfairness[] = []
for (const engine of engines) {
  all.push(...(await onEngine(engine)))
}
process.stdout.write(`\n${report(all)}\n`)

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

/** How one load of a busy tenant affects the others. */
interface Unfairness {
  readonly engine: Engine
  readonly load: string
  readonly rounds: readonly Round[]
}

const NAMES: Readonly<Record<Engine, string>> = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

/** Medians over the rounds; the ratios are those of the two samples of one round. */
function report(all: readonly Unfairness[]): string {
  const rows = all.map(({ engine, load, rounds }) => {
    const wait = (when: 'quiet' | 'busy', figure: 'p50Ms' | 'p90Ms') =>
      medianOf(rounds.map((round) => round[when][figure])).toFixed(1)
    const ratio = (figure: 'p50Ms' | 'p90Ms') =>
      medianOf(rounds.map(({ quiet, busy }) => busy[figure] / quiet[figure])).toFixed(2)
    const rejected = (of: (round: Round) => Wait) =>
      rounds.reduce((sum, round) => sum + of(round).rejected, 0)
    return [
      `${NAMES[engine]}, ${load}`,
      `${wait('quiet', 'p50Ms')} / ${wait('quiet', 'p90Ms')}`,
      `${wait('busy', 'p50Ms')} / ${wait('busy', 'p90Ms')}`,
      `${ratio('p50Ms')} / ${ratio('p90Ms')}`,
      String(rejected(({ busy }) => busy)),
    ]
  })
  const heads = [
    'One tenant sends',
    'Others alone p50 / p90, ms',
    'Others beside it',
    'Ratio',
    'Others rejected',
  ]
  return [heads, heads.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

/** An OpenID provider as far as a login start needs one: its metadata. */
async function startProvider(): Promise<{ readonly issuer: string; close(): void }> {
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'application/json').end(
      JSON.stringify({
        issuer: issuer(),
        authorization_endpoint: `${issuer()}/auth`,
        token_endpoint: `${issuer()}/token`,
        jwks_uri: `${issuer()}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      }),
    )
  })
  const issuer = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    issuer: issuer(),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
