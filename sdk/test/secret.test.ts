import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { handleCallback, handleLogout } from '../src/index.ts'
import {
  applySetCookies,
  browserRequest,
  createFixture,
  type Fixture,
  refreshingSession,
} from './support/fixture.ts'
import { createScriptedClient, json, PAIR } from './support/scripted-client.ts'

const SECRET = 'an-app-secret-of-enough-characters'

type Cookies = Readonly<Record<string, string>>

/** A browser that has signed in to an app with a secret, and its cookies. */
async function signInWithSecret(fixture: Fixture): Promise<Cookies> {
  const { accessToken, refreshToken } = await fixture.signIn()
  const query = new URLSearchParams({ access_token: accessToken, refresh_token: refreshToken })
  const options = { client: fixture.otherClient({ secret: SECRET }), requireNonce: false }
  const response = await handleCallback(browserRequest(`/callback?${query}`), options)
  return applySetCookies(response.headers.getSetCookie())
}

test('the idempotency key is derived from secret, tenant, browser and refresh token, as the service documents it', async () => {
  const { client, sent } = createScriptedClient([json(PAIR), json(PAIR), json(PAIR)], {
    secret: SECRET,
  })
  await client.refresh('refresh-1', { bind: 'browser-1' })
  await client.refresh('refresh-1', { bind: 'browser-2' })
  await client.refresh('refresh-2')
  const mac = createHmac('sha256', SECRET)
    .update('swift-fox-running-k3qd\0browser-1\0refresh-1')
    .digest('base64url')
  const keys = sent.map(({ headers }) => headers.get('idempotency-key') ?? '')
  assert.equal(keys[0], `gh1_${mac}`)
  assert.notEqual(keys[1], keys[0], 'another browser has another key, and gets nothing from memory')
  assert.match(keys[2] ?? '', /^[\w-]{22}$/, 'without a browser the key is random')
})

test('gh_bind is set at the callback with a secret only, is new for each login, and is removed at the logout', async (t) => {
  const fixture = await createFixture(t)
  const cookies = await signInWithSecret(fixture)
  assert.deepEqual(Object.keys(cookies), ['gh_access', 'gh_refresh', 'gh_bind'])
  assert.match(cookies.gh_bind ?? '', /^[\w-]{22}$/)
  const again = await signInWithSecret(fixture)
  assert.notEqual(again.gh_bind, cookies.gh_bind)

  const client = fixture.otherClient({ secret: SECRET })
  fixture.expireAccessTokens()
  const { setCookies } = await refreshingSession(client, browserRequest('/', cookies))
  assert.equal(applySetCookies(setCookies).gh_bind, cookies.gh_bind, 'a refresh prolongs it')
  assert.match(
    setCookies[2] ?? '',
    /^gh_bind=[\w-]{22}; Path=\/; Max-Age=2592000; HttpOnly; Secure; SameSite=Lax$/,
  )
  const loggedOut = await handleLogout(browserRequest('/logout', cookies, { method: 'POST' }), {
    client,
  })
  assert.deepEqual(applySetCookies(loggedOut.headers.getSetCookie(), cookies), {})
  assert.deepEqual(client.cookies.read(browserRequest('/', { gh_bind: 'too-short' })).bind, null)
  assert.deepEqual(fixture.client.cookies.read(browserRequest('/', cookies)).bind, null)
})

test('a leaked refresh token without the cookie of its browser gets no pair, and ends the session as before', async (t) => {
  const fixture = await createFixture(t)
  const { service, tenant, otherClient, expireAccessTokens } = fixture
  const cookies = await signInWithSecret(fixture)
  expireAccessTokens()
  const client = otherClient({ secret: SECRET })
  const renewed = await refreshingSession(client, browserRequest('/', cookies))
  assert.equal(renewed.status, 'signedIn')
  const thief = { gh_refresh: cookies.gh_refresh ?? '', gh_bind: 'AAAAAAAAAAAAAAAAAAAAAA' }
  const raced = await refreshingSession(client, browserRequest('/', thief))
  assert.deepEqual(
    [raced.status, raced.setCookies],
    ['superseded', []],
    'nothing from the memory of the process',
  )
  service.clock.advance({ seconds: 11 })
  assert.equal((await refreshingSession(client, browserRequest('/', thief))).status, 'signedOut')
  const owner = applySetCookies(renewed.setCookies, cookies)
  assert.equal(
    (await refreshingSession(client, browserRequest('/', owner))).status,
    'signedOut',
    'noticed',
  )
  assert.deepEqual(await tenant.eventKinds(), [
    'login_started',
    'authorize',
    'token_refreshed',
    'logout',
  ])
})

test('a lost response is repeated for 24 hours by any process, and not in two refreshes running', async (t) => {
  const fixture = await createFixture(t)
  const { service, tenant, otherClient } = fixture
  let cookies = await signInWithSecret(fixture)
  const visit = async (): Promise<Awaited<ReturnType<typeof refreshingSession>>> =>
    refreshingSession(otherClient({ secret: SECRET }), browserRequest('/', cookies))

  service.clock.advance({ hours: 2 })
  assert.equal((await visit()).status, 'signedIn', 'its cookies are lost')
  service.clock.advance({ hours: 23 })
  const late = await Promise.all(Array.from({ length: 10 }, visit))
  assert.deepEqual(new Set(late.map(({ status }) => status)), new Set(['signedIn']))
  assert.equal(new Set(late.map(({ tokens }) => tokens?.refreshToken)).size, 1)
  cookies = applySetCookies(late[0]?.setCookies ?? [], cookies)
  assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize', 'token_refreshed'])

  service.clock.advance({ hours: 2 })
  assert.equal((await visit()).status, 'signedIn', 'lost again')
  service.clock.advance({ hours: 2 })
  assert.equal(
    (await visit()).status,
    'signedOut',
    'a thief with all cookies would follow like this',
  )
})
