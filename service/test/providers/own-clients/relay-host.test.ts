import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertApiError, problemPaths } from '../../support/actors/api-error.ts'
import {
  activateProvider,
  ownClient,
  ownedTenant,
  providerOf,
  putProvider,
} from '../../support/actors/providers.ts'
import { ENGINES } from '../../support/postgres/engines.ts'
import { type World, world } from '../../support/world.ts'

const APP = 'https://app.example.com/callback'
const NEW = 'https://new.example.com/callback'
const RELAY = 'https://app.example.com/relay'
const PROVISION = '/api/resources/social-login'

const client = ({ baseUrl }: World) => ({ ...ownClient(baseUrl, 'google'), redirect_uri: RELAY })

for (const engine of ENGINES) {
  // proves C260, S083
  test(`[${engine}] of a new callback list and a relay on its old host at the same time, one is refused`, async (t) => {
    const service = await world(t, { engine })
    const { tenant } = await ownedTenant(service, [APP, NEW])
    for (let round = 0; round < 3; round += 1) {
      await tenant.provision([APP, NEW])
      const [list, relay] = await Promise.all([
        tenant.manage('POST', PROVISION, { callback_urls: [NEW] }),
        tenant.manage('PUT', '/api/social-login/providers/google', client(service)),
      ])
      assert.deepEqual([list.status, relay.status].sort(), [200, 400], `${list.text} ${relay.text}`)
      await tenant.manage('PUT', '/api/social-login/providers/google', { mode: 'shared' })
    }
  })
}

// proves C260, S083
test("a callback list without the host of a client's relay is refused with the fix, and nothing changes", async (t) => {
  const service = await world(t)
  const { tenant } = await ownedTenant(service, [APP, NEW])
  await putProvider(tenant, 'google', client(service))
  const before = (await tenant.manage('GET', '/api/audit')).json.actions.length
  for (const [body, path] of [
    [{ callback_urls: [NEW] }, 'callback_urls'],
    [{ callback_url: NEW }, 'callback_url'],
    [{ callback_urls: ['https://*.example.com/callback'] }, 'callback_urls'],
  ] as const) {
    const refused = await tenant.manage('POST', PROVISION, body)
    assertApiError(refused, 'invalidRequest')
    assert.deepEqual(problemPaths(refused), [path])
    assert.match(
      refused.text,
      /client at Google has the redirect_uri https:\/\/app\.example\.com\/relay\. Keep a callback/,
    )
    assert.match(refused.text, /PUT \/api\/social-login\/providers\/google/)
  }
  const bulk = {
    resources: ['social-login'],
    configurations: { 'social-login': { callback_urls: [NEW] } },
  }
  const refused = await tenant.manage('POST', '/api/resources', bulk)
  assert.ok(refused.text.includes('has the redirect_uri'), refused.text)
  assert.equal(
    (await tenant.manage('GET', '/api/audit')).json.actions.length,
    before,
    'no refusal is in the audit',
  )
  const listed = await tenant.manage('POST', PROVISION, { callback_urls: [`${APP}/other`, NEW] })
  assert.equal(listed.status, 200, 'another callback on the same host is enough')

  await putProvider(tenant, 'google', ownClient(service.baseUrl, 'google'))
  assert.equal((await tenant.manage('POST', PROVISION, { callback_urls: [NEW] })).status, 200)
  assertApiError(
    await tenant.manage('PUT', '/api/social-login/providers/google', client(service)),
    'invalidRequest',
  )
})

// proves C260
test('the relay of a client that waits for its test sign-in counts too, and a removed client holds no host', async (t) => {
  const service = await world(t)
  const owned = await ownedTenant(service, [APP, NEW])
  const { tenant } = owned
  await activateProvider(service, owned, 'google')
  await putProvider(tenant, 'google', client(service))
  assertApiError(await tenant.manage('POST', PROVISION, { callback_urls: [NEW] }), 'invalidRequest')
  assert.equal((await tenant.manage('DELETE', '/api/social-login/providers/google')).status, 200)
  assert.equal((await tenant.manage('POST', PROVISION, { callback_urls: [NEW] })).status, 200)
  assert.equal((await providerOf(tenant, 'google'))?.mode, 'shared')
})
