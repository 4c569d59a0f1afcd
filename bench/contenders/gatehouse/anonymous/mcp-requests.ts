import { type AnonymousRequest, items, json, members } from './request.ts'

/** The largest body of /mcp, less its envelope. */
const BYTES = 255_000
/** The most values of one message, less those of the envelope. */
const VALUES = 1_980

const rpc = (name: string, method: string, params: unknown, status = 200): AnonymousRequest =>
  json(`/mcp ${name}`, '/mcp', status, { jsonrpc: '2.0', id: 1, method, params })

const tool = (name: string, toolName: string, args: unknown, status = 200): AnonymousRequest =>
  rpc(`${toolName}, ${name}`, 'tools/call', { name: toolName, arguments: args }, status)

const initialize = (capabilities: unknown): object => ({
  protocolVersion: '2025-11-25',
  clientInfo: { name: 'bench', version: '1' },
  capabilities,
})

const many = (value: unknown): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: VALUES }, (_, at) => [at.toString(36), value]))

const NESTED = `${'[{"a":'.repeat(7)}1${'}]'.repeat(7)}`

export const MCP_REQUESTS: readonly AnonymousRequest[] = [
  rpc('initialize, 250 KB of wrong capabilities', 'initialize', initialize({ experimental: members(BYTES, 1) }), 400),
  rpc('initialize, 1,980 wrong capabilities', 'initialize', initialize({ experimental: many(1) })),
  rpc('initialize, 1,980 capabilities', 'initialize', initialize({ experimental: many({}) })),
  rpc('initialize, 1,980 wrong icons', 'initialize', { ...initialize({}), clientInfo: { icons: items(5_900, {}) } }),
  rpc('tools/list', 'tools/list', {}),
  {
    ...rpc(
      'tools/list, revision 2026-07-28, 1,980 wrong capabilities',
      'tools/list',
      {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': { experimental: many(1) },
        },
      },
      400,
    ),
    headers: {
      'Content-Type': 'application/json',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/list',
    },
  },
  rpc('tools/list, 1,980 values of _meta', 'tools/list', { _meta: many(1) }),
  rpc('tools/list, a cursor of 250 KB', 'tools/list', { cursor: 'x'.repeat(BYTES) }),
  rpc('ping, 250 KB of numbers', 'ping', { a: items(BYTES, 1) }, 400),
  rpc('ping, 250 KB of empty objects', 'ping', { a: items(BYTES, {}) }, 400),
  rpc('a method of 250 KB', 'x'.repeat(BYTES), {}),
  json('/mcp an id of 250 KB', '/mcp', 200, { jsonrpc: '2.0', id: 'x'.repeat(BYTES), method: 'ping' }),
  json('/mcp 250 KB of backslashes', '/mcp', 200, {
    jsonrpc: '2.0',
    id: 1,
    method: 'ping',
    params: { a: '\\'.repeat(BYTES / 2) },
  }),
  json('/mcp 250 KB of nested values', '/mcp', 400, `{"a":[${Array.from({ length: 4_500 }, () => NESTED).join(',')}]}`),
  json('/mcp 250 KB that is no JSON', '/mcp', 400, `{"a":[${'1,'.repeat(BYTES / 2)}`),
  tool('the whole guide', 'get_service_documentation', {}),
  tool('created', 'create_tenant', { confirmed: true }),
  tool('1,980 unknown fields', 'create_tenant', many(1)),
  tool('250 KB of unknown fields', 'create_tenant', members(BYTES, 1), 400),
  tool('unknown key', 'tenant_status', { tenant_id: 'a-b', coh_management_key: 'x' }),
  tool('20,000 characters', 'give_feedback', {
    tenant_id: 'a-b',
    coh_management_key: 'x',
    feedback: '\u1234'.repeat(20_000),
  }),
  tool('1,900 wrong callback URLs', 'provision_resource', {
    tenant_id: 'a-b',
    coh_management_key: 'x',
    confirmed: true,
    resource: 'social-login',
    configuration: { callback_urls: Array.from({ length: 1_900 }, () => 'https://*.*.example.com') },
  }),
  tool('50 callback URLs of 2,048 characters', 'provision_resource', {
    tenant_id: 'a-b',
    coh_management_key: 'x',
    confirmed: true,
    resource: 'social-login',
    configuration: {
      callback_urls: Array.from({ length: 50 }, (_, at) => `https://a.example/${at}${'/%2e'.repeat(500)}`),
    },
  }),
]
