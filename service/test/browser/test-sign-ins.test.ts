import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signInAs } from '../../../sdk/src/testing.ts'
import { startCallbackApp } from '../support/actors/callback-app.ts'
import { openChromiumPage } from '../support/actors/chromium-page.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

const SIGN_INS = 30

// proves C392
test('a test suite signs 30 users in within one minute, each in a browser of its own and without a click', {
  skip: slow,
}, async (t) => {
  const service = await world(t, { through: 'port', env: { DEV_UNLIMITED: '1' } })
  const { callback, received } = await startCallbackApp(t, 'Signed in')
  const tenant = await service.agent.createTenant([callback])
  service.clock.advance({ minutes: 1 })
  const startedAt = service.clock.now()

  for (let number = 1; number <= SIGN_INS; number++) {
    const { page, browserErrors } = await openChromiumPage(t, 800)
    await signInAs(page.context(), {
      baseUrl: service.baseUrl,
      email: `user-${number}@example.com`,
    })
    await page.goto(tenant.loginUrl)
    assert.equal(await page.title(), 'Signed in')
    assert.deepEqual(browserErrors, [])
    await page.context().close()
  }
  assert.equal(service.clock.now(), startedAt, 'no time has passed for the limits')
  assert.equal(received.length, SIGN_INS)
  for (const parameters of received) {
    assert.equal(await tenant.isValid(parameters.get('access_token') ?? ''), true)
  }
  assert.deepEqual(
    (await tenant.users()).map(({ email }) => email),
    Array.from({ length: SIGN_INS }, (_, index) => `user-${index + 1}@example.com`),
  )
  assert.deepEqual(
    await tenant.eventKinds(),
    Array(SIGN_INS).fill(['login_started', 'authorize']).flat(),
  )
  const { usage } = await tenant.status()
  assert.deepEqual(usage.events_this_minute, { used: 2 * SIGN_INS, limit: null })
})
