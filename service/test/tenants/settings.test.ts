import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CALLBACK } from '../support/actors/agent.ts'
import { assertApiError } from '../support/actors/api-error.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

const SETTINGS = '/api/social-login/settings'

for (const engine of ENGINES) {
  // proves C181
  test(`[${engine}] settings change field by field, survive a new callback list, and end with social login`, async (t) => {
    const { agent } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const { json: initial } = await tenant.manage('GET', SETTINGS)
    assert.equal(initial.refresh_leeway_seconds, 0)
    const changed = await tenant.manage('PATCH', SETTINGS, { refresh_leeway_seconds: 20 })
    assert.deepEqual(changed.json, { ...initial, refresh_leeway_seconds: 20 })
    await tenant.provision([CALLBACK, 'https://app.example.com/other'])
    assert.deepEqual((await tenant.manage('GET', SETTINGS)).json, changed.json)

    await tenant.manage('DELETE', '/api/resources/social-login')
    assertApiError(await tenant.manage('GET', SETTINGS), 'notProvisioned')
    assertApiError(
      await tenant.manage('PATCH', SETTINGS, { refresh_leeway_seconds: 1 }),
      'notProvisioned',
    )
    await tenant.provision([CALLBACK])
    assert.deepEqual((await tenant.manage('GET', SETTINGS)).json, initial)
  })
}

test('an empty change, an unknown setting and a value out of range are 400 and change nothing', async (t) => {
  const { agent } = await world(t)
  const tenant = await agent.createTenant()
  const { json: before } = await tenant.manage('GET', SETTINGS)
  for (const body of [
    {},
    { color: 'red' },
    { refresh_leeway_seconds: -1 },
    { refresh_leeway_seconds: 'x' },
    [],
  ]) {
    assertApiError(await tenant.manage('PATCH', SETTINGS, body), 'invalidRequest')
  }
  assert.deepEqual((await tenant.manage('GET', SETTINGS)).json, before)
})
