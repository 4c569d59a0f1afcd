import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Bench } from '../../bench.ts'
import { startDriver } from '../../load/start-driver.ts'
import type { FreshTokensData } from '../../load/work/fresh-tokens.ts'
import type { Asked } from '../../load/work/replay.ts'
import type { Entry } from '../entry.ts'
import { populated } from './populated.ts'
import { type Population, sessionsInTurn } from './population.ts'
import { productionSettings } from './settings.ts'
import { startGatehouse } from './start.ts'

/** More than one round can ask. */
const FRESH_PER_SECOND = 25_000

/** Verify on one process of ours: tokens that are asked about again and again, and tokens that never were. */
export async function verifyEntries(
  bench: Bench,
  works: { readonly live: string; readonly fresh: string },
): Promise<Entry[]> {
  const settings = await productionSettings(bench.folder)
  const population = await populated(bench, settings)
  const program = await startGatehouse(bench, settings, { name: 'gatehouse-verify' })
  const common = { pids: () => [program.pid], programs: [program] }
  const { port } = program
  const cores = bench.placement.load
  const live = await startDriver({
    work: 'replay',
    data: liveTokens(population),
    file: path.join(bench.folder, 'live-tokens.json'),
    port,
    cores,
  })
  const fresh = await startDriver({
    work: 'fresh-tokens',
    data: freshTokens(population, settings, FRESH_PER_SECOND * bench.options.seconds),
    file: path.join(bench.folder, 'fresh-tokens.json'),
    port,
    cores,
  })
  return [
    { ...common, contender: 'gatehouse', work: works.live, driver: live },
    { ...common, contender: 'gatehouse', work: works.fresh, driver: fresh },
  ]
}

export const liveTokens = (population: Population): Asked[] =>
  sessionsInTurn(population).map(({ tenantId, access_token, user }) => ({
    request: {
      method: 'POST',
      path: `/edge/auth/${tenantId}/verify`,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ access_token }),
    },
    status: 200,
    says: { valid: true, user },
  }))

function freshTokens(
  { tenants }: Population,
  { BASE_URL: iss = '', DATA_DIR }: Readonly<Record<string, string>>,
  perRound: number,
): FreshTokensData {
  const { keys } = JSON.parse(readFileSync(path.join(DATA_DIR ?? '', 'keys.json'), 'utf8')) as FreshTokensData
  const subjects = tenants.flatMap(({ id: tenant_id, sessions: [session] }) =>
    session === undefined ? [] : [{ ...fieldsOf(session.access_token), iss, tenant_id }],
  )
  return { keys, subjects, perRound }
}

/** What a token of ours says, without its times. */
function fieldsOf(accessToken: string): FreshTokensData['subjects'][number] {
  const [, payload = ''] = accessToken.split('.')
  const { iat, exp, ...subject } = JSON.parse(Buffer.from(payload, 'base64url').toString())
  return subject
}
