import assert from 'node:assert/strict'
import { test } from 'node:test'
import { world } from '../support/world.ts'

// proves C396
test('with DEV_ACCESS_TOKEN_SECONDS every access token expires after that time, and the session continues', async (t) => {
  const service = await world(t, { env: { DEV_ACCESS_TOKEN_SECONDS: '5' } })
  const tenant = await service.agent.createTenant()
  let pair = await tenant.signIn(service.browser())
  for (let refresh = 0; refresh < 2; refresh++) {
    service.clock.advance({ seconds: 4 })
    assert.equal(await tenant.isValid(pair.access_token), true)
    service.clock.advance({ seconds: 1 })
    assert.equal(await tenant.isValid(pair.access_token), false)
    pair = { ...pair, ...(await tenant.refresh(pair.refresh_token)) }
  }
  assert.equal(await tenant.isValid(pair.access_token), true)
  assert.deepEqual(await tenant.eventKinds(), [
    'login_started',
    'authorize',
    'token_refreshed',
    'token_refreshed',
  ])
})
