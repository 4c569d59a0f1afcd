import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerOrdinary } from '../../src/http/mcp/ordinary-messages.ts'
import type { ToolCall } from '../../src/http/mcp/tool.ts'
import { ERAS, type Era, RawMcpClient } from '../support/actors/mcp.ts'
import { world } from '../support/world.ts'

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'wire', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { roots: {}, sampling: {}, elicitation: {} },
}
const HEADERS = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' }
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
const LIST_2026 = { ...LIST, params: { _meta: ENVELOPE } }
const CALL = {
  jsonrpc: '2.0',
  id: 'a',
  method: 'tools/call',
  params: { name: 'create_tenant', arguments: {} },
}

/** No tool runs: only the caller of this call is read. */
const PUBLIC = { caller: { kind: 'public' } } as ToolCall

const answer = (
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<string | null> => answerOrdinary((name) => headers[name], body, PUBLIC)

test('an ordinary message and one that the MCP library answers get the same result', async (t) => {
  const { agent } = await world(t)
  const wire = new RawMcpClient(agent)
  const tenant = await agent.createTenant(null)
  const named = { tenant_id: tenant.id, coh_management_key: tenant.key }
  const messages: readonly (readonly [string, Record<string, unknown>])[] = [
    ['tools/list', {}],
    ['tools/call', { name: 'tenant_status', arguments: named }],
    ['tools/call', { name: 'tenant_status', arguments: { ...named, unknown: 1 } }],
    ['tools/call', { name: 'tenant_status' }],
    ['tools/call', { name: 'tenant_status', arguments: { ...named, coh_management_key: 'wrong' } }],
    ['tools/call', { name: 'get_service_documentation', arguments: {} }],
    ['tools/call', { name: 'give_feedback', arguments: { ...named, feedback: 'One list.' } }],
  ]
  for (const era of ERAS) {
    for (const [method, params] of messages) {
      const meta = era === 'legacy' ? {} : ENVELOPE
      const send = async (_meta: object) => {
        const body = { jsonrpc: '2.0', id: 'same', method, params: { ...params, _meta } }
        const { status, headers, json } = await wire.post(body, {
          headers: headersOf(era, method, params),
        })
        return [status, headers.get('content-type'), json]
      }
      assert.deepEqual(
        await send(meta),
        await send({ ...meta, 'example.com/unknown': 1 }),
        `${era} ${method}`,
      )
    }
  }
})

test('the fields that clients send are ordinary in every revision', async () => {
  const ordinary: readonly (readonly [object, Readonly<Record<string, string>>])[] = [
    [LIST, {}],
    [{ ...LIST, params: {} }, { 'mcp-protocol-version': '2025-11-25' }],
    [
      { ...LIST, params: { _meta: { progressToken: 1 } } },
      { 'mcp-protocol-version': '2024-11-05' },
    ],
    [LIST_2026, HEADERS],
    [{ ...LIST, params: { _meta: { ...ENVELOPE, progressToken: 'a' } } }, HEADERS],
  ]
  for (const [body, headers] of ordinary) {
    const { id, result } = JSON.parse((await answer(body, headers)) ?? 'null')
    assert.deepEqual([id, result.tools.length], [1, 6], JSON.stringify(body))
  }
})

test('every other message is left to the MCP library', async () => {
  const others: readonly (readonly [object, Readonly<Record<string, string>>])[] = [
    ...[
      { jsonrpc: '1.0' },
      { id: null },
      { id: 1.5 },
      { id: undefined },
      { method: 'ping' },
      { more: 1 },
    ].map((change) => [{ ...LIST, ...change }, {}] as const),
    ...[
      null,
      [],
      'text',
      { cursor: 'a' },
      { _meta: null },
      { _meta: { progressToken: {} } },
      { _meta: { x: 1 } },
    ].map((params) => [{ ...LIST, params }, {}] as const),
    ...[
      { name: 1 },
      { name: 'no_such_tool' },
      { arguments: [] },
      { arguments: null },
      { task: {} },
    ].map((change) => [{ ...CALL, params: { ...CALL.params, ...change } }, {}] as const),
    [{ ...CALL, method: 'prompts/get' }, {}],
    [LIST, { 'mcp-protocol-version': '2026-07-28' }],
    [LIST, { 'mcp-protocol-version': '1999-01-01' }],
    [LIST_2026, {}],
    [LIST_2026, { ...HEADERS, 'mcp-method': 'tools/call' }],
    [LIST_2026, { ...HEADERS, 'mcp-name': 'create_tenant' }],
    [LIST_2026, { ...HEADERS, 'mcp-protocol-version': '2025-11-25' }],
    ...[
      { 'io.modelcontextprotocol/protocolVersion': '2025-11-25' },
      { 'io.modelcontextprotocol/clientInfo': { name: 'wire' } },
      { 'io.modelcontextprotocol/clientInfo': { name: 'wire', version: '1', icons: [] } },
      { 'io.modelcontextprotocol/clientCapabilities': { roots: 1 } },
      { 'io.modelcontextprotocol/clientCapabilities': { other: {} } },
      { 'io.modelcontextprotocol/clientCapabilities': undefined },
      { traceparent: 'a' },
    ].map(
      (change) => [{ ...LIST, params: { _meta: { ...ENVELOPE, ...change } } }, HEADERS] as const,
    ),
  ]
  for (const [body, headers] of others) {
    assert.equal(
      await answer(body, headers),
      null,
      `${JSON.stringify(body)} ${JSON.stringify(headers)}`,
    )
  }
})

function headersOf(
  era: Era,
  method: string,
  { name }: Record<string, unknown>,
): Record<string, string> {
  if (era === 'legacy') {
    return {}
  }
  return {
    ...HEADERS,
    'mcp-method': method,
    ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
  }
}
