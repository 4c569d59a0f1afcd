import path from 'node:path'
import { TOOL_NAMES } from '@gatehouse/contract'
import type { Bench } from '../../bench.ts'
import { startDriver } from '../../load/start-driver.ts'
import type { Exchange } from '../../load/workloads/replay.ts'
import type { Setup } from '../setup.ts'
import { populate } from './populate.ts'
import type { PopulatedTenant } from './population.ts'
import { productionSettings } from './settings.ts'
import { startGatehouse } from './start.ts'

const TENANTS = 100

export const TOOLS_LIST = 'MCP tools/list'
export const TOOLS_CALL = 'MCP tools/call tenant_status'
/** The same in the revision without a handshake. */
export const TOOLS_LIST_2026 = `${TOOLS_LIST}, revision 2026-07-28`
export const TOOLS_CALL_2026 = `${TOOLS_CALL}, revision 2026-07-28`
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
    setups.push({ contender: 'gatehouse', workload, pids: () => [program.pid], driver, programs: [program] })
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
  request: { method: 'GET', path: '/api/status', headers: { Authorization: `Bearer ${managementKey}` } },
  status: 200,
  contains: { tenant_id: id },
})
