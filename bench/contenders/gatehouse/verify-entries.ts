import { readFileSync } from 'node:fs'
import path from 'node:path'
import { freePort } from '../../../service/test/support/transport/free-port.ts'
import type { Bench } from '../../bench.ts'
import { startDriver } from '../../load/start-driver.ts'
import type { FreshTokensData } from '../../load/work/fresh-tokens.ts'
import type { Asked } from '../../load/work/replay.ts'
import type { Entry } from '../entry.ts'
import { populated } from './populated.ts'
import { type Population, sessionsInTurn } from './population.ts'
import { productionSettings, type Settings } from './settings.ts'
import { startGatehouse } from './start.ts'

/** More than one round can ask. */
const FRESH_PER_SECOND = 25_000

/**
 * Verify of tokens that are asked about again and again, and of tokens that never were. Each has a process of its own:
 * a flood of new tokens pushes the known ones out of memory, and no service has one and then the other, in turns.
 */
export async function verifyEntries(
  bench: Bench,
  works: { readonly live: string; readonly fresh: string },
): Promise<Entry[]> {
  const settings = await productionSettings(bench.folder)
  const population = await populated(bench, settings)
  const perRound = FRESH_PER_SECOND * bench.options.seconds
  return [
    await entry(works.live, 'gatehouse-verify', settings, 'replay', liveTokens(population)),
    await entry(
      works.fresh,
      'gatehouse-verify-fresh',
      { ...settings, PORT: String(await freePort()) },
      'fresh-tokens',
      freshTokens(population, settings, perRound),
    ),
  ]

  async function entry(
    work: string,
    name: string,
    own: Settings,
    asking: 'replay' | 'fresh-tokens',
    data: unknown,
  ): Promise<Entry> {
    const program = await startGatehouse(bench, own, { name })
    const file = path.join(bench.folder, `${name}.json`)
    const driver = await startDriver({ work: asking, data, file, port: program.port, cores: bench.placement.load })
    return { contender: 'gatehouse', work, pids: () => [program.pid], programs: [program], driver }
  }
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
