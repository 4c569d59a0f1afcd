import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FEEDBACK_MAX_CHARACTERS } from '@gatehouse-auth/contract'
import { allowsOrigin } from '../../src/http/mcp/cors.ts'
import { assertToolError, ERAS, RawMcpClient, toolResult } from '../support/actors/mcp.ts'
import { world } from '../support/world.ts'

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

test('methods other than POST are 405, before authentication', async (t) => {
  const { agent } = await world(t)
  for (const method of ['GET', 'DELETE', 'PUT', 'PATCH', 'HEAD']) {
    for (const path of ['/mcp', '/mcp/', '/mcp?login']) {
      for (const headers of [
        {},
        { Authorization: 'Bearer garbage' },
        { Accept: 'text/event-stream' },
      ]) {
        const response = await agent.call(method, path, { headers })
        assert.equal(response.status, 405, `${method} ${path}`)
        assert.equal(response.headers.get('allow'), 'POST, OPTIONS')
        assert.equal(response.headers.get('www-authenticate'), null)
      }
    }
  }
})

// proves C084
test('every response is one JSON object, whatever the client accepts, and no session is created', async (t) => {
  const { agent } = await world(t)
  const wire = new RawMcpClient(agent)
  for (const accept of ['*/*', 'application/json', 'text/event-stream', 'text/html', '']) {
    for (const era of ERAS) {
      const headers = { Accept: accept, 'Mcp-Session-Id': 'a-session', 'Last-Event-ID': '7' }
      const response = await wire.request('tools/list', {}, { headers }, era)
      assert.equal(response.status, 200, `${accept} ${response.text}`)
      assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
      assert.equal(response.headers.get('mcp-session-id'), null)
      assert.equal(response.headers.get('cache-control'), 'no-store')
      assert.equal(response.json.result.tools.length, 6)
    }
  }
  const initialized = await wire.post({ jsonrpc: '2.0', method: 'notifications/initialized' })
  assert.deepEqual([initialized.status, initialized.text], [202, ''])
  assert.deepEqual((await wire.post(ping, { path: '/mcp/' })).json, {
    jsonrpc: '2.0',
    id: 1,
    result: {},
  })
})

test('an invalid message or a batch is rejected with the error of JSON-RPC', async (t) => {
  const { agent } = await world(t)
  const wire = new RawMcpClient(agent)
  const created = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'create_tenant', arguments: { confirmed: true } },
  }
  const cases: readonly (readonly [unknown, number, number])[] = [
    ['', 400, -32700],
    ['{', 400, -32700],
    ['nonsense', 400, -32700],
    [`{"a":${'['.repeat(40)}1${']'.repeat(40)}}`, 400, -32700],
    ['{"__proto__":{"x":1}}', 400, -32700],
    [[], 400, -32600],
    [[created, created], 400, -32600],
    ['"text"', 400, -32600],
    ['1', 400, -32600],
    ['null', 400, -32600],
    [{}, 400, -32600],
    [{ jsonrpc: '1.0', id: 1, method: 'ping' }, 400, -32600],
    [{ jsonrpc: '2.0', id: { deep: 1 }, method: 'ping' }, 400, -32600],
  ]
  for (const [body, status, code] of cases) {
    const response = await wire.post(body, { headers: { 'Content-Type': 'application/json' } })
    assert.deepEqual(
      [response.status, response.json.error.code],
      [status, code],
      `${JSON.stringify(body)} ${response.text}`,
    )
    assert.equal(response.json.jsonrpc, '2.0')
  }
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonx',
    'multipart/form-data',
  ]) {
    const response = await wire.post(JSON.stringify(created), { headers: { 'Content-Type': type } })
    assert.equal(response.status, 415, type)
  }
  assert.equal(
    (await wire.post(ping, { headers: { 'Content-Type': 'application/json; charset=utf-8' } }))
      .status,
    200,
  )
  assert.deepEqual(await agent.call('GET', '/healthz').then(({ status }) => status), 200)
})

test('the body limit fits the longest feedback in any escaping, and little more', async (t) => {
  const { agent } = await world(t)
  const wire = new RawMcpClient(agent)
  const tenant = await agent.createTenant(null)
  const named = { tenant_id: tenant.id, coh_management_key: tenant.key }
  const longest = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'give_feedback', arguments: { ...named, feedback: 'FILL' } },
  }).replace('FILL', '\\u00e9'.repeat(FEEDBACK_MAX_CHARACTERS))
  assert.deepEqual((await wire.post(longest)).json.result.structuredContent, { success: true })
  const tooLong = { ...named, feedback: 'x'.repeat(FEEDBACK_MAX_CHARACTERS + 1) }
  assert.match(
    await assertToolError(wire.call('give_feedback', tooLong), 'invalidRequest'),
    /at most 20000/,
  )
  for (const blank of ['', '   ', '\n\t ']) {
    await assertToolError(
      wire.call('give_feedback', { ...named, feedback: blank }),
      'invalidRequest',
    )
  }
  const response = await wire.post({ ...ping, params: { filler: 'x'.repeat(129 * 1_024) } })
  assert.equal(response.status, 413)
})

test('foreign origins are rejected and known browser clients allowed, and the preflight agrees', async (t) => {
  const { agent, baseUrl } = await world(t)
  const wire = new RawMcpClient(agent)
  const allowed = [
    baseUrl,
    'https://claude.ai',
    'https://chatgpt.com',
    'https://vscode.dev',
    'http://localhost:6274',
  ]
  const foreign = [
    'https://evil.example',
    'null',
    'http://claude.ai',
    'https://claude.ai.evil.example',
    'https://claude.ai:8443',
  ]
  const preflightHeaders = {
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'authorization, mcp-name',
  }
  for (const origin of allowed) {
    const preflight = await agent.call('OPTIONS', '/mcp', {
      headers: { Origin: origin, ...preflightHeaders },
    })
    assert.equal(preflight.status, 204)
    assert.equal(preflight.headers.get('access-control-allow-methods'), 'POST, OPTIONS')
    for (const name of [
      'authorization',
      'content-type',
      'mcp-protocol-version',
      'mcp-method',
      'mcp-name',
      'mcp-session-id',
    ]) {
      assert.ok(preflight.headers.get('access-control-allow-headers')?.includes(name), name)
    }
    const responses = [
      await wire.post(ping, { headers: { Origin: origin } }),
      await wire.post(ping, { headers: { Origin: origin, Authorization: 'Bearer x' } }),
      await wire.post(ping, { headers: { Origin: origin }, path: '/mcp?login' }),
      await wire.post('{', { headers: { Origin: origin } }),
      await agent.call('GET', '/mcp', { headers: { Origin: origin } }),
    ]
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 401, 401, 400, 405],
    )
    for (const { headers } of [preflight, ...responses]) {
      assert.equal(headers.get('access-control-allow-origin'), origin)
      assert.match(headers.get('vary') ?? '', /Origin/)
      assert.equal(headers.get('access-control-allow-credentials'), null)
      for (const name of ['WWW-Authenticate', 'Retry-After']) {
        assert.ok(headers.get('access-control-expose-headers')?.includes(name))
      }
    }
  }
  for (const origin of foreign) {
    const preflight = await agent.call('OPTIONS', '/mcp', {
      headers: { Origin: origin, ...preflightHeaders },
    })
    const response = await wire.post(ping, { headers: { Origin: origin } })
    assert.deepEqual([preflight.status, response.status], [403, 403], origin)
    for (const { headers } of [preflight, response]) {
      assert.equal(headers.get('access-control-allow-origin'), null)
    }
  }
  assert.equal((await wire.post(ping)).status, 200, 'clients outside a browser send no Origin')
})

test('a service answers to its own origin in a browser, and to no other site', () => {
  assert.equal(allowsOrigin('https://login.example.com', 'https://login.example.com'), true)
  assert.equal(allowsOrigin('https://other.example.com', 'https://login.example.com'), false)
})

test('unknown methods, versions and tools get the errors of each protocol version', async (t) => {
  const { agent } = await world(t)
  const wire = new RawMcpClient(agent)
  for (const era of ERAS) {
    const unknown = await wire.request(
      'tools/call',
      { name: 'delete_everything', arguments: {} },
      {},
      era,
    )
    assert.deepEqual([unknown.status, unknown.json.error.code], [200, -32602], unknown.text)
    for (const name of ['__proto__', 'constructor', 'toString', '']) {
      const response = await wire.request('tools/call', { name, arguments: {} }, {}, era)
      assert.equal(
        response.json.error.code,
        era === 'modern' && name === '' ? response.json.error.code : -32602,
        response.text,
      )
    }
    const list = await wire.request('resources/list', {}, {}, era)
    assert.deepEqual([list.status, list.json.error.code], [era === 'legacy' ? 200 : 404, -32601])
  }
  const noEnvelope = await wire.post(
    { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
    { headers: { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list' } },
  )
  assert.deepEqual([noEnvelope.status, noEnvelope.json.error.code], [400, -32602])
  const mismatch = await wire.request(
    'tools/list',
    {},
    { headers: { 'Mcp-Method': 'tools/call' } },
    'modern',
  )
  assert.deepEqual([mismatch.status, mismatch.json.error.code], [400, -32020])
  const future = await wire.post(
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/list',
      params: {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2099-01-01',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    },
    { headers: { 'MCP-Protocol-Version': '2099-01-01', 'Mcp-Method': 'tools/list' } },
  )
  assert.deepEqual([future.status, future.json.error.code], [400, -32022])
  assert.ok(Array.isArray(future.json.error.data.supported))
  for (const protocolVersion of [
    '2024-11-05',
    '2025-03-26',
    '2025-06-18',
    '2025-11-25',
    '1999-01-01',
  ]) {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'x', version: '1' } }
    const { result } = (await wire.request('initialize', params)).json
    assert.equal(
      result.protocolVersion,
      protocolVersion === '1999-01-01' ? '2025-11-25' : protocolVersion,
    )
    assert.deepEqual(result.capabilities, { tools: {} })
  }
  await toolResult(
    wire.call(
      'get_service_documentation',
      {},
      { headers: { 'MCP-Protocol-Version': '2025-06-18' } },
    ),
  )
})
