import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ERAS, RawMcpClient } from '../support/actors/mcp.ts'
import { world } from '../support/world.ts'

const ERROR_MAX_CHARACTERS = 600

const initialize = (experimental: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    clientInfo: { name: 'wire', version: '1' },
    capabilities: { experimental },
  },
})

/** An initialize message without capabilities has eleven values, containers included. */
const ENVELOPE_VALUES = 11

const capabilities = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`c${at}`, value]))

// proves S034
test('a message with more than 500 values is -32602, and one with 500 is handled', async (t) => {
  const { agent } = await world(t)
  const wire = new RawMcpClient(agent)
  const largest = await wire.post(initialize(capabilities(500 - ENVELOPE_VALUES, {})))
  assert.equal(largest.json.result?.serverInfo.name, 'gatehouse', largest.text)
  for (const message of [
    initialize(capabilities(501 - ENVELOPE_VALUES, {})),
    initialize(capabilities(10_000, 1)),
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'ping',
      params: { a: Array.from({ length: 60_000 }, () => 1) },
    },
  ]) {
    const response = await wire.post(message)
    assert.deepEqual([response.status, response.json.error.code], [400, -32602], response.text)
    assert.match(response.json.error.message, / 500 values/)
    assert.ok(response.text.length < ERROR_MAX_CHARACTERS, response.text)
  }
})

test('a message may be as large as the OpenAPI document says, and not larger', async (t) => {
  const { agent } = await world(t)
  const { json: document } = await agent.call('GET', '/openapi.json')
  const { description } = document.paths['/mcp'].post.responses[413]
  const [, kibibytes] = /larger than (\d+) KiB/.exec(description) ?? []
  const largest = Number(kibibytes) * 1_024

  const wire = new RawMcpClient(agent)
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
  assert.equal((await wire.post(ping.padEnd(largest))).status, 200)
  assert.equal((await wire.post(ping.padEnd(largest + 1))).status, 413)
})

test('commas, brackets and escaped quotes inside a string are not counted as values', async (t) => {
  const { agent } = await world(t)
  const wire = new RawMcpClient(agent)
  const text = '\\",[{}]:'.repeat(5_000)
  const response = await wire.request('ping', { _meta: { text, empty: [[], {}, ''] } })
  assert.deepEqual([response.status, response.json.result], [200, {}], response.text)
})

test('params that do not fit a method are -32602 in one short sentence, however many mistakes they have', async (t) => {
  const { agent } = await world(t)
  const wire = new RawMcpClient(agent)
  const wrong = await wire.post(initialize(capabilities(480, 1)))
  assert.equal(wrong.json.error.code, -32602, wrong.text)
  assert.match(
    wrong.json.error.message,
    /^The params do not fit initialize\. .*params\.capabilities\.experimental\.c0/,
  )
  assert.ok(wrong.text.length < ERROR_MAX_CHARACTERS, wrong.text)
  const long = 'x'.repeat(100_000)
  for (const era of ERAS) {
    for (const [method, params] of [
      [long, {}],
      ['tools/call', { name: long }],
      ['tools/call', { name: { [long]: 1 } }],
      ['tools/list', { cursor: { [long]: 1 } }],
    ] as const) {
      const response = await wire.request(
        method,
        params,
        { headers: { 'Mcp-Method': 'x', 'Mcp-Name': 'x' } },
        era,
      )
      const { code } = response.json.error
      assert.ok(code < 0 && code !== -32603, response.text.slice(0, ERROR_MAX_CHARACTERS))
      assert.ok(
        response.text.length < ERROR_MAX_CHARACTERS,
        `${era} ${method.slice(0, 20)}: ${response.text.length}`,
      )
    }
    const version = await wire.request(
      'tools/list',
      { _meta: {} },
      { headers: { 'MCP-Protocol-Version': 'x'.repeat(8_000) } },
      era,
    )
    assert.ok(version.text.length < ERROR_MAX_CHARACTERS, version.text.slice(0, 200))
  }
})
