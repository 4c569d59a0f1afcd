import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertApiError } from '../support/actors/api-error.ts'
import { requestClaim, waitForClaim } from '../support/actors/claim.ts'
import { world } from '../support/world.ts'

/** The limit of one process (operations/signals.ts). */
const WAITERS = 5_000

test('with 5,000 long polls waiting, the next gets 503 with Retry-After, and a request that does not wait succeeds', async (t) => {
  const { agent, app } = await world(t)
  const tenant = await agent.createTenant()
  const claimRequest = await requestClaim(tenant)
  const events = (wait: number) => tenant.manage('GET', `/api/social-login/events?wait=${wait}`)

  const waiting = Array.from({ length: WAITERS }, () => app.ctx.signals.listen('another topic'))
  for (const rejected of [await events(1), await waitForClaim(tenant, claimRequest, 1)]) {
    assertApiError(rejected, 'temporarilyUnavailable')
    assert.equal(rejected.headers.get('retry-after'), '5')
  }
  assert.equal((await events(0)).status, 200)

  waiting.pop()?.[Symbol.dispose]()
  assert.equal((await waitForClaim(tenant, claimRequest)).json.status, 'pending')
})
