import path from 'node:path'
import type { Bench } from '../bench.ts'
import { AnonymousClient, MCP_REQUESTS, restRequests } from '../contenders/gatehouse/anonymous.ts'
import { mcpSetups } from '../contenders/gatehouse/setups.ts'
import { productionSettings, startGatehouse } from '../contenders/gatehouse/start.ts'
import { glewlwydMissing } from '../contenders/glewlwyd/setup.ts'
import {
  LOGIN_SETUPS,
  type LoginContender,
  type LoginSetup,
  startIdentityProvider,
} from '../contenders/login-setups.ts'
import { closeAll, type Setup } from '../contenders/setup.ts'
import {
  LIVE,
  REFRESH,
  REFRESH_SETUPS,
  refreshOfBuild,
  refreshWithWebhooks,
  VERIFY_SETUPS,
} from '../contenders/verify-setups.ts'
import type { BenchmarkName } from '../options.ts'
import { usageOfAll } from '../processes/usage.ts'
import type { Row } from '../report/row.ts'
import { idToken } from './id-token.ts'
import { loginRequests } from './login-requests.ts'
import { measure } from './measure.ts'
import { memory } from './memory.ts'
import { refreshOnPostgres } from './refresh-postgres.ts'
import { search } from './search.ts'
import { start } from './start.ts'
import { slowDisk, workers } from './workers.ts'

/** Token verification. */
async function verify(bench: Bench): Promise<Row[]> {
  const setups: Setup[] = []
  try {
    for (const contender of bench.options.contenders) {
      setups.push(...(await VERIFY_SETUPS[contender](bench)))
    }
    const rows = await measure(bench, 'verify', setups)
    return [...rows, ...(await glewlwydMissing(bench, 'verify', LIVE))]
  } finally {
    await closeAll(setups)
  }
}

/** Refresh with rotation, with each contender's durability. */
async function refresh(bench: Bench): Promise<Row[]> {
  const rows = await refreshOverHttp(bench)
  const onPostgres = bench.options.contenders.includes('gatehouse') && bench.options.postgres
  return onPostgres ? [...rows, ...(await refreshOnPostgres(bench))] : rows
}

async function refreshOverHttp(bench: Bench): Promise<Row[]> {
  const setups: Setup[] = []
  try {
    for (const contender of bench.options.contenders) {
      setups.push(...((await REFRESH_SETUPS[contender]?.(bench)) ?? []))
    }
    const { contenders, quick } = bench.options
    if (contenders.includes('gatehouse') && !quick) {
      setups.push(await refreshOfBuild(bench), await refreshWithWebhooks(bench))
    }
    const rows = await measure(bench, 'refresh', setups)
    return [...rows, ...(await glewlwydMissing(bench, 'refresh', REFRESH))]
  } finally {
    await closeAll(setups)
  }
}

/** Few, because the benchmark measures the CPU of a login, not its throughput. */
const CONNECTIONS = 8
/** A login runs more code than a verify, so compiling all of it takes longer. */
const WARM_UP_SECONDS = 8

/** From the login link to the tokens, through one OpenID provider. Counts only the contender's CPU. */
async function login(bench: Bench): Promise<Row[]> {
  const loginBench: Bench = {
    ...bench,
    options: { ...bench.options, connections: CONNECTIONS, warmUpSeconds: WARM_UP_SECONDS },
  }
  const setups: LoginSetup[] = []
  const identity = await startIdentityProvider(loginBench)
  try {
    for (const name of Object.keys(LOGIN_SETUPS) as LoginContender[]) {
      if (bench.options.contenders.includes(name)) {
        setups.push(await LOGIN_SETUPS[name](loginBench, identity))
      }
    }
    const complete = await measure(loginBench, 'login', setups)
    return [...complete, ...(await loginRequests(loginBench, setups))]
  } finally {
    await closeAll(setups)
    await identity.program.stop()
  }
}

/** The calls of an agent. No peer has an MCP server. */
async function mcp(bench: Bench): Promise<Row[]> {
  let setups: Setup[] = []
  try {
    setups = await mcpSetups(bench)
    return await measure(bench, 'mcp', setups)
  } finally {
    await closeAll(setups)
  }
}

/** CPU time is counted in ticks of 10 ms: with 50 requests the result is exact to 0.2 ms. */
const REQUESTS_PER_ROUND = 50

/** The CPU that one request without a credential costs, for the dearest requests that we know. */
async function anonymous(bench: Bench): Promise<Row[]> {
  const settings = await productionSettings(path.join(bench.folder, 'anonymous'))
  const program = await startGatehouse(bench, settings, { name: 'gatehouse-anonymous' })
  const client = new AnonymousClient(program.port)
  try {
    const requests = [
      ...MCP_REQUESTS,
      ...restRequests(await client.tenant()),
      ...(await client.oauthRequests()),
    ]
    bench.log(
      `anonymous: ${bench.options.rounds} rounds of ${REQUESTS_PER_ROUND} for ${requests.length} requests`,
    )
    const cpuUs = requests.map((): number[] => [])
    for (let round = -1; round < bench.options.rounds; round++) {
      for (const [index, request] of requests.entries()) {
        const before = usageOfAll([program.pid]).cpuMs
        for (let sent = 0; sent < REQUESTS_PER_ROUND; sent++) {
          await client.send(request)
        }
        const spentMs = usageOfAll([program.pid]).cpuMs - before
        // The first round compiles.
        if (round >= 0) {
          cpuUs[index]?.push((spentMs * 1_000) / REQUESTS_PER_ROUND)
        }
      }
    }
    return requests.map(({ name }, index) => ({
      benchmark: 'anonymous',
      workload: name,
      contender: 'gatehouse',
      figures: { cpuUs: cpuUs[index] ?? [] },
    }))
  } finally {
    client.close()
    await program.stop()
  }
}

export const RUN: Record<BenchmarkName, (bench: Bench) => Promise<Row[]>> = {
  verify,
  refresh,
  login,
  mcp,
  'id-token': idToken,
  anonymous,
  'slow-disk': slowDisk,
  workers,
  start,
  memory,
  search,
}
