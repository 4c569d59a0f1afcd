import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TIER_LIMITS } from '@gatehouse-auth/contract'
import { loginStartLimit } from '../../../src/domain/limits/allowance.ts'
import { assertApiError } from '../../support/actors/api-error.ts'
import { putProvider } from '../../support/actors/providers.ts'
import { world } from '../../support/world.ts'

test('a start with GitHub is refused for the same reasons as one with Google, and records nothing', async (t) => {
  const { agent } = await world(t)
  const tenant = await agent.createTenant(['https://app.example.com/callback'])
  await putProvider(tenant, 'github', { mode: 'shared' })
  const start = (tenantId: string, query = '') =>
    agent.call('GET', `/edge/auth/${tenantId}/github${query}`, {
      headers: { Accept: 'application/json' },
    })
  assertApiError(await start('no-such-tenant'), 'tenantNotFound')
  assertApiError(await start(tenant.id, '?return_to=https://evil.example/'), 'invalidReturnTo')
  assertApiError(
    await start(tenant.id, '?redirect_uri=https://evil.example/callback'),
    'invalidRedirectUri',
  )
  await tenant.manage('PATCH', '/api/social-login/settings', { callback_mode: 'code' })
  assertApiError(await start(tenant.id), 'codeChallengeRequired')
  await tenant.manage('PATCH', '/api/social-login/settings', { callback_mode: 'either' })
  await tenant.provision(['https://*.example.com/callback'])
  assertApiError(await start(tenant.id), 'redirectUriRequired')
  assert.deepEqual(await tenant.eventKinds(), [])

  await tenant.provision(['https://app.example.com/callback'])
  for (let used = 0; used < loginStartLimit(TIER_LIMITS.ephemeral.eventsPerMinute); used++) {
    assert.equal((await start(tenant.id)).status, 302)
  }
  assertApiError(await start(tenant.id), 'rateLimited')
})
