import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountOf, tokenFor } from '../support/actors/grants.ts'
import { RawMcpClient, toolResult } from '../support/actors/mcp.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

const CALLERS = 200

for (const engine of ENGINES) {
  test(`[${engine}] ${CALLERS} concurrent callers with the same JSON-RPC id each get their own response`, {
    skip: slow,
  }, async (t) => {
    const here = await world(t, { engine })
    const wire = new RawMcpClient(here.agent)
    const tokens = await Promise.all(
      Array.from({ length: 20 }, async (_, index) =>
        tokenFor(here, await accountOf(here, `user-${index}`)),
      ),
    )
    const mine = await Promise.all(
      tokens.map((token) =>
        toolResult(
          wire.call('create_tenant', { confirmed: true, idempotency_key: 'parallel-1' }, { token }),
        ),
      ),
    )
    assert.equal(new Set(mine.map(({ tenant_id }) => tenant_id)).size, tokens.length)

    const responses = await Promise.all(
      Array.from({ length: CALLERS }, async (_, caller) => {
        const index = caller % tokens.length
        const tenant_id = mine[index].tenant_id
        const message = {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'tenant_status', arguments: { tenant_id } },
        }
        const options = { token: tokens[index] ?? '' }
        return caller % 2 === 0
          ? { tenant_id, response: await wire.post(message, options) }
          : {
              tenant_id,
              response: await wire.request('tools/call', message.params, options, 'modern'),
            }
      }),
    )
    for (const [caller, { tenant_id, response }] of responses.entries()) {
      assert.equal(
        response.json.result.structuredContent?.tenant_id,
        tenant_id,
        `${caller} ${response.text}`,
      )
      if (caller % 2 === 0) {
        assert.equal(response.json.id, 1)
      }
    }
  })
}
