import { readFileSync } from 'node:fs'
import path from 'node:path'
import { freePort } from '../../../service/test/support/transport/free-port.ts'
import type { Bench } from '../../bench.ts'
import { startDriver } from '../../load/start-driver.ts'
import type { FreshTokensData } from '../../load/workloads/fresh-tokens.ts'
import type { Exchange } from '../../load/workloads/replay.ts'
import type { Setup } from '../setup.ts'
import { populate } from './populate.ts'
import { interleavedSessions, type Population } from './population.ts'
import { productionSettings, type Settings } from './settings.ts'
import { PRODUCTION_BUILD, type StartOptions, startGatehouse } from './start.ts'

/** More than a round can use. */
const FRESH_PER_SECOND = 25_000

/**
 * Verify of repeated tokens, and of tokens never seen before. Each has its own process, because new tokens evict repeated
 * ones from the cache.
 */
export async function verifySetups(
  bench: Bench,
  workloads: { readonly live: string; readonly fresh: string },
): Promise<Setup[]> {
  const settings = await productionSettings(bench.folder)
  const population = await populate(bench, settings)
  const perRound = FRESH_PER_SECOND * bench.options.seconds
  const onAnotherPort = async (): Promise<Settings> => ({ ...settings, PORT: String(await freePort()) })
  const live = liveTokens(population)
  const fresh = freshTokens(population, settings, perRound)
  const setups = [
    await setup(workloads.live, { name: 'gatehouse-verify' }, settings, 'replay', live),
    await setup(workloads.fresh, { name: 'gatehouse-verify-fresh' }, await onAnotherPort(), 'fresh-tokens', fresh),
  ]
  if (bench.options.quick) return setups
  const build = { name: 'gatehouse-verify-build', build: 'production' } as const
  return [...setups, await setup(workloads.live, build, await onAnotherPort(), 'replay', live)]

  async function setup(
    workload: string,
    options: StartOptions & { readonly name: string },
    processSettings: Settings,
    requests: 'replay' | 'fresh-tokens',
    data: unknown,
  ): Promise<Setup> {
    const program = await startGatehouse(bench, processSettings, options)
    const file = path.join(bench.folder, `${options.name}.json`)
    const driver = await startDriver({
      workload: requests,
      data,
      file,
      port: program.port,
      cores: bench.placement.load,
    })
    const contender = options.build === 'production' ? PRODUCTION_BUILD : 'gatehouse'
    return { contender, workload, pids: () => [program.pid], programs: [program], driver }
  }
}

export const liveTokens = (population: Population): Exchange[] =>
  interleavedSessions(population).map(({ tenantId, access_token, user }) => ({
    request: {
      method: 'POST',
      path: `/edge/auth/${tenantId}/verify`,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ access_token }),
    },
    status: 200,
    contains: { valid: true, user },
  }))

function freshTokens(
  { tenants }: Population,
  { BASE_URL: iss = '', DATA_DIR }: Readonly<Record<string, string>>,
  perRound: number,
): FreshTokensData {
  const { keys } = JSON.parse(readFileSync(path.join(DATA_DIR ?? '', 'keys.json'), 'utf8')) as FreshTokensData
  const subjects = tenants.flatMap(({ id: tenant_id, sessions: [session] }) =>
    session === undefined ? [] : [{ ...claimsOf(session.access_token), iss, tenant_id }],
  )
  return { keys, subjects, perRound }
}

/** The claims of one of our tokens, without `iat` and `exp`. */
function claimsOf(accessToken: string): FreshTokensData['subjects'][number] {
  const [, payload = ''] = accessToken.split('.')
  const { iat, exp, ...subject } = JSON.parse(Buffer.from(payload, 'base64url').toString())
  return subject
}
