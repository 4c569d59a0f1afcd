import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type GatehouseError, handleLogout } from '../src/index.ts'
import { cookiesOf, jar, scene, visit, WAYS } from './support/scene.ts'
import { apiError, scripted } from './support/scripted.ts'

for (const way of WAYS) {
  test(`[${way}] signing out ends the session, empties the browser and leads home`, async (t) => {
    const { client, tenant, signIn } = await scene(t, { way })
    const tokens = await signIn()
    const cookies = { ...cookiesOf(tokens), theme: 'dark' }
    const response = await handleLogout(visit('/logout', cookies, { method: 'POST' }), { client, home: '/bye' })
    assert.deepEqual([response.status, response.headers.get('location'), await response.text()], [303, '/bye', ''])
    assert.deepEqual(jar(response.headers.getSetCookie(), cookies), { theme: 'dark' })
    assert.deepEqual(await client.verify(tokens.accessToken), { valid: false })
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize', 'logout'])
  })
}

test('a link signs nobody out, and a post without cookies changes nothing', async () => {
  const { client, sent } = scripted([])
  const link = await handleLogout(visit('/logout', { gh_refresh: 'r' }), { client })
  assert.deepEqual([link.status, link.headers.get('allow'), link.headers.getSetCookie()], [405, 'POST', []])
  const stranger = await handleLogout(visit('/logout', {}, { method: 'POST' }), { client })
  assert.deepEqual([stranger.status, stranger.headers.getSetCookie()], [303, []])
  assert.deepEqual(sent, [])
})

test('whoever signs out while the service is away is signed out of this browser all the same', async () => {
  const { client } = scripted([apiError('temporarilyUnavailable', 503, { 'Retry-After': '60' })])
  const heard: GatehouseError[] = []
  const cookies = { gh_access: 'a', gh_refresh: 'r' }
  const response = await handleLogout(visit('/logout', cookies, { method: 'POST' }), {
    client,
    onError: (error) => heard.push(error),
  })
  assert.deepEqual(jar(response.headers.getSetCookie(), cookies), {})
  assert.deepEqual(
    heard.map(({ code }) => code),
    ['unavailable'],
  )
})
