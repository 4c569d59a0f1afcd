import path from 'node:path'
import type { Bench } from '../bench.ts'
import { AnonymousClient } from '../contenders/gatehouse/anonymous/client.ts'
import { MCP_REQUESTS } from '../contenders/gatehouse/anonymous/mcp-requests.ts'
import { restRequests } from '../contenders/gatehouse/anonymous/rest-requests.ts'
import { productionSettings } from '../contenders/gatehouse/settings.ts'
import { startGatehouse } from '../contenders/gatehouse/start.ts'
import { usageOfAll } from '../processes/usage.ts'
import type { Row } from '../report/row.ts'

/** CPU time is counted in ticks of 10 ms: with 50 requests the result is exact to 0.2 ms. */
const REQUESTS_PER_ROUND = 50

/** The CPU that one request without a credential costs, for the dearest requests that we know. */
export async function anonymous(bench: Bench): Promise<Row[]> {
  const settings = await productionSettings(path.join(bench.folder, 'anonymous'))
  const program = await startGatehouse(bench, settings, { name: 'gatehouse-anonymous' })
  const client = new AnonymousClient(program.port)
  try {
    const requests = [...MCP_REQUESTS, ...restRequests(await client.tenant()), ...(await client.oauthRequests())]
    bench.log(`anonymous: ${bench.options.rounds} rounds of ${REQUESTS_PER_ROUND} for ${requests.length} requests`)
    const cpuUs = requests.map((): number[] => [])
    for (let round = -1; round < bench.options.rounds; round++) {
      for (const [index, request] of requests.entries()) {
        const before = usageOfAll([program.pid]).cpuMs
        for (let sent = 0; sent < REQUESTS_PER_ROUND; sent++) await client.send(request)
        const spentMs = usageOfAll([program.pid]).cpuMs - before
        // The first round compiles.
        if (round >= 0) cpuUs[index]?.push((spentMs * 1_000) / REQUESTS_PER_ROUND)
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
