import { readFileSync } from 'node:fs'
import path from 'node:path'
import { TOOL_NAMES } from '@gatehouse-auth/contract'
import { freePort } from '../../../../service/test/support/transport/free-port.ts'
import type { Bench } from '../../bench.ts'
import { startDriver } from '../../load/start-driver.ts'
import type { FreshTokensData } from '../../load/workloads/fresh-tokens.ts'
import type { RefreshData } from '../../load/workloads/refresh.ts'
import type { Exchange } from '../../load/workloads/replay.ts'
import type { Setup } from '../setup.ts'
import { interleavedSessions, type PopulatedTenant, type Population, populate } from './populate.ts'
import {
  PRODUCTION_BUILD,
  productionSettings,
  type Settings,
  type StartOptions,
  startGatehouse,
} from './start.ts'

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
  const onAnotherPort = async (): Promise<Settings> => ({
    ...settings,
    PORT: String(await freePort()),
  })
  const live = liveTokens(population)
  const fresh = freshTokens(population, settings, perRound)
  const setups = [
    await setup(workloads.live, { name: 'gatehouse-verify' }, settings, 'replay', live),
    await setup(
      workloads.fresh,
      { name: 'gatehouse-verify-fresh' },
      await onAnotherPort(),
      'fresh-tokens',
      fresh,
    ),
  ]
  if (bench.options.quick) {
    return setups
  }
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
  const { keys } = JSON.parse(
    readFileSync(path.join(DATA_DIR ?? '', 'keys.json'), 'utf8'),
  ) as FreshTokensData
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

const SYNCED = 'SQLite, WAL, synced before each response'

interface RefreshOptions {
  readonly workload: string
  /** Default: the sources. */
  readonly build?: 'sources' | 'production'
  /** Default: SQLite. */
  readonly databaseUrl?: string
  readonly sessionsPerTenant?: number
  readonly webhooks?: boolean
  /** Called when the database is populated, before the service starts. */
  onPopulated?(): Promise<void>
}

/**
 * Refresh on one process of our service, in the most expensive case: every session is less than an hour old, so its access
 * token has not expired and each refresh also writes a revocation.
 */
export async function refreshSetup(bench: Bench, options: RefreshOptions): Promise<Setup> {
  const {
    workload,
    build = 'sources',
    databaseUrl,
    sessionsPerTenant = 5,
    webhooks = false,
    onPopulated,
  } = options
  const engine = databaseUrl === undefined ? 'sqlite' : 'postgres'
  const name = `refresh-${engine}-${build}${webhooks ? '-webhooks' : ''}`
  const settings = await productionSettings(
    path.join(bench.folder, name),
    databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl },
  )
  const population = await populate(bench, settings, { sessionsPerTenant, webhooks })
  await onPopulated?.()
  const program = await startGatehouse(bench, settings, { name: `gatehouse-${name}`, build })
  const driver = await startDriver({
    workload: 'refresh',
    data: refreshData(population),
    file: path.join(bench.folder, `${name}.json`),
    port: program.port,
    cores: bench.placement.load,
  })
  return {
    contender: build === 'production' ? PRODUCTION_BUILD : 'gatehouse',
    workload,
    durability: engine === 'sqlite' ? SYNCED : 'PostgreSQL, fsync on',
    pids: () => [program.pid],
    driver,
    programs: [program],
  }
}

export const refreshData = (population: Population): RefreshData => ({
  encoding: 'json',
  headers: { 'User-Agent': 'bench' },
  sessions: interleavedSessions(population).map(({ tenantId, refresh_token: refreshToken }) => ({
    path: `/edge/auth/${tenantId}/refresh`,
    refreshToken,
  })),
})

const TENANTS = 100

const TOOLS_LIST = 'MCP tools/list'
const TOOLS_CALL = 'MCP tools/call tenant_status'
/** The same in the revision without a handshake. */
const TOOLS_LIST_2026 = `${TOOLS_LIST}, revision 2026-07-28`
const TOOLS_CALL_2026 = `${TOOLS_CALL}, revision 2026-07-28`
export const SAME_OVER_REST = 'GET /api/status, the same operation'

/** Two MCP calls of an agent, and the same operation over REST for comparison. */
export async function mcpSetups(bench: Bench): Promise<Setup[]> {
  const settings = await productionSettings(path.join(bench.folder, 'mcp'))
  const { tenants } = await populate(bench, settings, { tenants: TENANTS, sessionsPerTenant: 1 })
  const program = await startGatehouse(bench, settings, { name: 'gatehouse-mcp' })
  const setups: Setup[] = []
  const workloads: [string, Exchange[]][] = [
    [TOOLS_LIST, [toolsList]],
    [TOOLS_CALL, tenants.map(toolsCall)],
    [TOOLS_LIST_2026, [inRevision2026(toolsList)]],
    [TOOLS_CALL_2026, tenants.map((tenant) => inRevision2026(toolsCall(tenant)))],
    [SAME_OVER_REST, tenants.map(status)],
  ]
  for (const [index, [workload, data]] of workloads.entries()) {
    const driver = await startDriver({
      workload: 'replay',
      data,
      file: path.join(bench.folder, `mcp-${index}.json`),
      port: program.port,
      cores: bench.placement.load,
    })
    setups.push({
      contender: 'gatehouse',
      workload,
      pids: () => [program.pid],
      driver,
      programs: [program],
    })
  }
  return setups
}

const rpc = (method: string, params: object): Exchange['request'] => ({
  method: 'POST',
  path: '/mcp',
  headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
})

/** Adds the headers and metadata that replace the handshake in this revision. */
function inRevision2026({ request, ...expected }: Exchange): Exchange {
  const message = JSON.parse(request.body ?? '') as { method: string; params: { name?: string } }
  const headers = {
    ...request.headers,
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': message.method,
    ...(message.params.name === undefined ? {} : { 'Mcp-Name': message.params.name }),
  }
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const body = JSON.stringify({ ...message, params: { ...message.params, _meta } })
  return { ...expected, request: { ...request, headers, body } }
}

const toolsList: Exchange = {
  request: rpc('tools/list', {}),
  status: 200,
  contains: { id: 1, result: { tools: TOOL_NAMES.map((name) => ({ name })) } },
}

const toolsCall = ({ id, managementKey }: PopulatedTenant): Exchange => ({
  request: rpc('tools/call', {
    name: 'tenant_status',
    arguments: { tenant_id: id, coh_management_key: managementKey },
  }),
  status: 200,
  contains: { id: 1, result: { structuredContent: { tenant_id: id } } },
})

const status = ({ id, managementKey }: PopulatedTenant): Exchange => ({
  request: {
    method: 'GET',
    path: '/api/status',
    headers: { Authorization: `Bearer ${managementKey}` },
  },
  status: 200,
  contains: { tenant_id: id },
})
