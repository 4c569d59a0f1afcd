import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Exchange, mcpProtocol } from '../../src/http/mcp/server.ts'
import { ERAS, type Era } from '../support/mcp.ts'
import { world } from '../support/world.ts'

const CALLS = 200

const GARBAGE = { tenant_id: 'no-such-tenant', coh_management_key: 'garbage' }

const message = (era: Era, method: string, params: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params: {
    ...params,
    ...(era === 'legacy'
      ? {}
      : {
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        }),
  },
})

const request = (era: Era, method: string, name: string | undefined): Request =>
  new Request('http://localhost/mcp', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...(era === 'legacy' ? {} : { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method }),
      ...(era === 'legacy' || name === undefined ? {} : { 'Mcp-Name': name }),
    },
  })

// CPU time and not the clock, so that a busy machine makes it no slower; and the best of several, for its caches.
test('the protocol around a tool costs less than a millisecond of CPU', async (t) => {
  const { app } = await world(t)
  const protocol = mcpProtocol()
  const exchange = (): Exchange => ({
    failure: undefined,
    call: { ctx: app.ctx, door: { kind: 'public' }, source: '127.0.0.1', concerns: () => {} },
  })
  for (const era of ERAS) {
    for (const [method, params, name] of [
      ['tools/list', {}, undefined],
      // Of a key that cannot be one of ours, so that the operation behind it costs nothing.
      ['tools/call', { name: 'tenant_status', arguments: GARBAGE }, 'tenant_status'],
    ] as const) {
      const once = async () =>
        (await protocol(request(era, method, name), message(era, method, params), exchange())).text()
      assert.ok((await once()).includes('"result"'))
      const costs: number[] = []
      for (let round = 0; round < 4; round++) {
        const before = process.cpuUsage()
        for (let call = 0; call < CALLS; call++) await once()
        const { user, system } = process.cpuUsage(before)
        costs.push((user + system) / 1_000 / CALLS)
      }
      t.diagnostic(`${era} ${method}: ${Math.min(...costs).toFixed(2)} ms`)
      assert.ok(Math.min(...costs) < 1, `${era} ${method} costs ${Math.min(...costs)} ms`)
    }
  }
})
