import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type GatehouseError, handleLogout } from '../src/index.ts'
import {
  applySetCookies,
  browserRequest,
  createFixture,
  TRANSPORTS,
  tokenCookies,
} from './support/fixture.ts'
import { apiError, createScriptedClient } from './support/scripted-client.ts'

for (const transport of TRANSPORTS) {
  test(`[${transport}] handleLogout ends the session, removes the token cookies and redirects to home`, async (t) => {
    const { client, tenant, signIn } = await createFixture(t, { transport })
    const tokens = await signIn()
    const cookies = { ...tokenCookies(tokens), theme: 'dark' }
    const response = await handleLogout(browserRequest('/logout', cookies, { method: 'POST' }), {
      client,
      home: '/bye',
    })
    assert.deepEqual(
      [response.status, response.headers.get('location'), await response.text()],
      [303, '/bye', ''],
    )
    assert.deepEqual(applySetCookies(response.headers.getSetCookie(), cookies), { theme: 'dark' })
    assert.deepEqual(await client.verify(tokens.accessToken), { valid: false })
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize', 'logout'])
  })
}

test('a GET does not sign out, and a POST without cookies changes nothing', async () => {
  const { client, sent } = createScriptedClient([])
  const get = await handleLogout(browserRequest('/logout', { gh_refresh: 'r' }), { client })
  assert.deepEqual(
    [get.status, get.headers.get('allow'), get.headers.getSetCookie()],
    [405, 'POST', []],
  )
  const post = await handleLogout(browserRequest('/logout', {}, { method: 'POST' }), { client })
  assert.deepEqual([post.status, post.headers.getSetCookie()], [303, []])
  assert.deepEqual(sent, [])
})

test('handleLogout removes the cookies while the service is unavailable', async () => {
  const { client } = createScriptedClient([
    apiError('temporarilyUnavailable', 503, { 'Retry-After': '60' }),
  ])
  const errors: GatehouseError[] = []
  const cookies = { gh_access: 'a', gh_refresh: 'r' }
  const response = await handleLogout(browserRequest('/logout', cookies, { method: 'POST' }), {
    client,
    onError: (error) => errors.push(error),
  })
  assert.deepEqual(applySetCookies(response.headers.getSetCookie(), cookies), {})
  assert.deepEqual(
    errors.map(({ code }) => code),
    ['unavailable'],
  )
})
