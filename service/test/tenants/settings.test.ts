import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SocialLoginSettings } from '@gatehouse-auth/contract'
import type { z } from 'zod'
import { CALLBACK } from '../support/actors/agent.ts'
import { assertApiError } from '../support/actors/api-error.ts'
import { ownedTenant } from '../support/actors/providers.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

const SETTINGS = '/api/social-login/settings'

/** For each setting a value that it doesn't have at first. */
const CHANGED: z.infer<typeof SocialLoginSettings> = {
  refresh_leeway_seconds: 20,
  callback_mode: 'code',
  remember_consent: true,
  allowed_domains: ['example.com'],
  allowed_emails: ['ada@example.com'],
  first_user_claims: { role: 'admin' },
  admission: 'invited',
  id_tokens: { audiences: ['convex'], claims: { role: 'authenticated' } },
}

for (const engine of ENGINES) {
  test(`[${engine}] every setting can be changed by itself, and is returned as it was sent`, async (t) => {
    const service = await world(t, { engine })
    const { tenant } = await ownedTenant(service)
    let expected = (await tenant.manage('GET', SETTINGS)).json
    for (const [name, value] of Object.entries(CHANGED)) {
      assert.notDeepEqual(expected[name], value, name)
      expected = { ...expected, [name]: value }
      assert.deepEqual((await tenant.manage('PATCH', SETTINGS, { [name]: value })).json, expected)
      assert.deepEqual((await tenant.manage('GET', SETTINGS)).json, expected, name)
    }
  })

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
