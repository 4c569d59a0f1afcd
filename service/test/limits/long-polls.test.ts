import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { App } from '../../src/app.ts'
import { clientAddressKey } from '../../src/domain/network/client-address.ts'
import { waitShares } from '../../src/operations/limits/wait-shares.ts'
import type { ApiResponse } from '../support/actors/agent.ts'
import { assertApiError } from '../support/actors/api-error.ts'
import { requestClaim, waitForClaim } from '../support/actors/claim.ts'
import { stopTime } from '../support/clock.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { world } from '../support/world.ts'

/** The limit of one process (operations/signals.ts). */
const WAITERS = 5_000

/** Returns a function that starts a long poll of one second, and lets that second pass once it waits. */
function pollers(
  t: TestContext,
  { ctx: { signals } }: App,
): (poll: () => Promise<ApiResponse>) => Promise<ApiResponse> {
  const pass = stopTime(t)
  return async (poll) => {
    const before = signals.waiting
    const response = poll()
    await waitUntil('it waits', () => signals.waiting > before)
    pass(1_000)
    return response
  }
}

test('with 5,000 long polls waiting, the next gets 503 with Retry-After, and a request that does not wait succeeds', async (t) => {
  const { agent, app } = await world(t)
  const tenant = await agent.createTenant()
  const claimRequest = await requestClaim(tenant)
  const events = (wait: number) => tenant.manage('GET', `/api/social-login/events?wait=${wait}`)

  const waiting = Array.from({ length: WAITERS }, () => app.ctx.signals.listen('another topic', []))
  for (const rejected of [await events(1), await waitForClaim(tenant, claimRequest, 1)]) {
    assertApiError(rejected, 'temporarilyUnavailable')
    assert.equal(rejected.headers.get('retry-after'), '5')
  }
  assert.equal((await events(0)).status, 200)

  waiting.pop()?.[Symbol.dispose]()
  const waited = pollers(t, app)
  assert.equal((await waited(() => waitForClaim(tenant, claimRequest, 1))).json.status, 'pending')
})

// proves S010
test('one wait token can have 20 long polls waiting, and those of other tokens and tenants still wait', async (t) => {
  const { agent, app } = await world(t)
  const tenant = await agent.createTenant()
  const claimRequest = await requestClaim(tenant)
  const other = await agent.createTenant()
  const otherRequest = await requestClaim(other)
  const waited = pollers(t, app)
  const accepted = Array.from({ length: 20 }, () => waitForClaim(tenant, claimRequest, 25))
  await waitUntil('20 long polls wait', () => app.ctx.signals.waiting === 20)
  const rejected = await waitForClaim(tenant, claimRequest, 25)
  assertApiError(rejected, 'rateLimited')
  assert.equal(rejected.headers.get('retry-after'), '5')
  assert.match(rejected.json.error.message, /One wait token may have 20 requests waiting/)
  assert.equal((await waitForClaim(tenant, claimRequest, 0)).json.status, 'pending')

  assert.equal(
    (await waited(() => tenant.manage('GET', '/api/social-login/events?wait=1'))).status,
    200,
  )
  assert.equal((await waited(() => waitForClaim(other, otherRequest, 1))).json.status, 'pending')
  app.ctx.signals.close()
  for (const response of await Promise.all(accepted)) {
    assert.equal(response.json.status, 'pending')
  }
  assert.equal(app.ctx.signals.waiting, 0)
})

test('one tenant and one client address have their own share of the long polls, and others still wait', async (t) => {
  const { agent, app } = await world(t, { env: { TRUSTED_PROXIES: '127.0.0.1,::1' } })
  const tenant = await agent.createTenant()
  const other = await agent.createTenant()
  const events = (key: string, address: string) =>
    agent.call('GET', '/api/social-login/events?wait=1', {
      key,
      headers: { 'X-Forwarded-For': address },
    })
  const hold = (count: number, address: string, tenantId: string) =>
    Array.from({ length: count }, () =>
      app.ctx.signals.listen(
        'x',
        waitShares({ tenantId, addressKey: clientAddressKey(address, undefined, []) }),
      ),
    )
  const waited = pollers(t, app)
  const ofTenant = hold(500, '203.0.113.1', tenant.id)
  assertApiError(await events(tenant.key, '203.0.113.2'), 'rateLimited')
  assert.equal((await waited(() => events(other.key, '203.0.113.1'))).status, 200)

  const ofAddress = hold(500, '203.0.113.1', 'a-third-tenant')
  const rejected = await events(other.key, '203.0.113.1')
  assertApiError(rejected, 'rateLimited')
  assert.match(rejected.json.error.message, /One source may have 1,000 requests waiting/)
  assert.equal((await waited(() => events(other.key, '203.0.113.2'))).status, 200)

  for (const listener of [...ofTenant, ...ofAddress]) {
    listener[Symbol.dispose]()
  }
  assert.equal((await waited(() => events(tenant.key, '203.0.113.1'))).status, 200)
})
