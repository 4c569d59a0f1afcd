import type { Bench } from '../bench.ts'
import { mcpSetups } from '../contenders/gatehouse/mcp-setups.ts'
import { closeAll, type Setup } from '../contenders/setup.ts'
import type { Row } from '../report/row.ts'
import { measure } from './measure.ts'

/** The calls of an agent. No peer has an MCP server. */
export async function mcp(bench: Bench): Promise<Row[]> {
  let setups: Setup[] = []
  try {
    setups = await mcpSetups(bench)
    return await measure(bench, 'mcp', setups)
  } finally {
    await closeAll(setups)
  }
}
