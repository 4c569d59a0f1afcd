import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiResponse } from '../support/actors/agent.ts'
import { assertApiError } from '../support/actors/api-error.ts'
import { claim } from '../support/actors/claim.ts'
import { assertToolError, RawMcpClient } from '../support/actors/mcp.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

const YEAR_SECONDS = 365 * 24 * 3_600

for (const engine of ENGINES) {
  // proves C082
  test(`[${engine}] a tenant may send feedback 20 times an hour, over REST, MCP and discount reports together`, async (t) => {
    const { agent, browser, app, clock } = await world(t, { engine })
    const [tenant, other] = [await agent.createTenant(null), await agent.createTenant(null)]
    await claim(tenant, browser())
    const send = (): Promise<ApiResponse> =>
      tenant.manage('POST', '/api/feedback/service', { feedback: 'x' })
    const report = (): Promise<ApiResponse> =>
      tenant.manage('POST', '/api/feedback', {
        feedback: 'It worked. '.repeat(20),
        user_authorized: true,
      })
    const overMcp = () =>
      new RawMcpClient(agent).call('give_feedback', {
        tenant_id: tenant.id,
        coh_management_key: tenant.key,
        feedback: 'x',
      })

    // 12:02 by the clock of this test.
    const first = await send()
    assert.equal(first.headers.get('ratelimit-policy'), '"hour";q=20;w=3600')
    assert.equal(first.headers.get('ratelimit'), '"hour";r=19;t=3480')
    assert.equal((await overMcp()).isError, false)
    const atOnce = await Promise.all(Array.from({ length: 20 }, send))
    assert.equal(atOnce.filter(({ status }) => status === 200).length, 18)

    for (const refused of [await send(), await report()]) {
      assert.deepEqual(assertApiError(refused, 'rateLimited'), {
        window: 'hour',
        limit: 20,
        left: 0,
      })
      assert.equal(refused.headers.get('retry-after'), '3480')
    }
    await assertToolError(overMcp(), 'rateLimited')
    assert.equal(
      (await other.manage('POST', '/api/feedback/service', { feedback: 'x' })).status,
      200,
    )

    clock.advance({ minutes: 58 })
    const accepted = await report()
    assert.equal(
      accepted.json.accepted_for_discount,
      true,
      'the refused report did not use up the discount',
    )
    assert.equal(accepted.headers.get('ratelimit'), '"hour";r=19;t=3600')
    assert.equal((await app.ctx.stores.feedback.page(0, 100, tenant.id)).length, 21)
  })

  // proves S026
  test(`[${engine}] 200 messages of a tenant are kept for a year; the next one is 429 until the oldest is deleted`, {
    skip: slow,
  }, async (t) => {
    const { agent, browser, app, clock } = await world(t, { engine })
    const tenant = await agent.createTenant(null)
    await claim(tenant, browser())
    const send = (): Promise<ApiResponse> =>
      tenant.manage('POST', '/api/feedback/service', { feedback: 'x' })
    const kept = async (): Promise<number> => (await app.ctx.stores.feedback.page(0, 1_000)).length
    for (let hour = 0; hour < 10; hour += 1) {
      for (let sent = 0; sent < 20; sent += 1) {
        assert.equal((await send()).status, 200)
      }
      clock.advance({ hours: 1 })
    }
    const refused = await send()
    assert.deepEqual(assertApiError(refused, 'rateLimited'), {
      window: 'year',
      limit: 200,
      left: 0,
    })
    assert.equal(refused.headers.get('retry-after'), String(YEAR_SECONDS - 10 * 3_600))
    assert.equal(await kept(), 200)

    clock.advance({ seconds: YEAR_SECONDS - 10 * 3_600 - 1 })
    assertApiError(await send(), 'rateLimited')
    await app.sweep()
    assert.equal(await kept(), 200)
    clock.advance({ seconds: 1 })
    assert.equal((await send()).status, 200, 'also before the next sweep')
    clock.advance({ seconds: 1 })
    await app.sweep()
    assert.equal(await kept(), 181)
  })
}
