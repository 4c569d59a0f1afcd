import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertApiError } from '../support/actors/api-error.ts'
import { openClaim, requestClaim } from '../support/actors/claim.ts'
import { assertToolError, RawMcpClient } from '../support/actors/mcp.ts'
import { databaseOf } from '../support/postgres/database-rows.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { raw } from '../support/postgres/storage.ts'
import { world } from '../support/world.ts'

for (const engine of ENGINES) {
  // proves C078
  test(`[${engine}] a tenant may request 30 claim links an hour; the last one stays valid when another is refused`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const [tenant, other] = [await agent.createTenant(null), await agent.createTenant(null)]
    const request = () => tenant.manage('POST', '/api/claim/url')
    // 12:02 by the clock of this test.
    const first = await request()
    assert.equal(first.headers.get('ratelimit-policy'), '"hour";q=30;w=3600')
    assert.equal(first.headers.get('ratelimit'), '"hour";r=29;t=3480')
    const atOnce = await Promise.all(Array.from({ length: 28 }, request))
    assert.ok(atOnce.every(({ status }) => status === 200))
    const last = await requestClaim(tenant)

    const refused = await request()
    assert.deepEqual(assertApiError(refused, 'rateLimited'), { window: 'hour', limit: 30, left: 0 })
    assert.equal(refused.headers.get('retry-after'), '3480')
    const overMcp = new RawMcpClient(agent).call('claim_tenant', {
      tenant_id: tenant.id,
      coh_management_key: tenant.key,
      confirmed: true,
    })
    await assertToolError(overMcp, 'rateLimited')
    assert.equal((await other.manage('POST', '/api/claim/url')).status, 200)

    const owner = browser()
    await openClaim(owner, last)
    await owner.press('Approve')
    assert.equal(
      (await tenant.status()).status,
      'claimed',
      'the refused request did not supersede the last link',
    )
    clock.advance({ minutes: 58 })
    assertApiError(await request(), 'alreadyClaimed')
    for (let sent = 0; sent < 31; sent += 1) {
      assertApiError(await request(), 'alreadyClaimed')
    }
  })

  // proves S026
  test(`[${engine}] claim links that expired more than an hour ago are deleted when a newer one is requested`, async (t) => {
    const here = await world(t, { engine })
    const { agent, browser, clock } = here
    const tenant = await agent.createTenant(null)
    const rows = async (): Promise<number> =>
      (await raw(databaseOf(here), 'select id from claims')).length
    clock.advance({ minutes: 59 })
    for (let hour = 0; hour < 3; hour += 1) {
      for (let links = 0; links < 30; links += 1) {
        await requestClaim(tenant)
      }
      assert.ok((await rows()) <= 60, `${await rows()} rows`)
      clock.advance({ hours: 1 })
    }
    const old = await requestClaim(tenant)
    clock.advance({ minutes: 29 })
    await requestClaim(tenant)
    const owner = browser()
    await owner.open(old.approval_url)
    assert.equal(owner.page.status, 410)
    assert.match(owner.page.text, /newer link/)
  })
}
