import assert from 'node:assert/strict'
import { test } from 'node:test'
import { handleCallback, handleLogout, type SessionStore, type TokenPair } from '../src/index.ts'
import {
  applySetCookies,
  browserRequest,
  createFixture,
  type Fixture,
  refreshingSession,
} from './support/fixture.ts'

type Cookies = Readonly<Record<string, string>>

/** A store in memory, as a database or Redis would be. */
function memoryStore(): SessionStore & { readonly entries: Map<string, TokenPair> } {
  const entries = new Map<string, TokenPair>()
  return {
    entries,
    get: async (id) => entries.get(id),
    set: async (id, tokens) => entries.set(id, tokens),
    delete: async (id) => entries.delete(id),
  }
}

async function signInWithStore(fixture: Fixture, store: SessionStore): Promise<Cookies> {
  const { accessToken, refreshToken } = await fixture.signIn()
  const query = new URLSearchParams({ access_token: accessToken, refresh_token: refreshToken })
  const options = { client: fixture.otherClient({ store }), requireNonce: false }
  const response = await handleCallback(browserRequest(`/callback?${query}`), options)
  return applySetCookies(response.headers.getSetCookie())
}

test('with a store the browser gets a session id only, and a copy of the store contains no cookie', async (t) => {
  const fixture = await createFixture(t)
  const store = memoryStore()
  const cookies = await signInWithStore(fixture, store)
  assert.deepEqual(Object.keys(cookies), ['gh_session'])
  assert.equal(store.entries.size, 1)
  assert.ok(!store.entries.has(cookies.gh_session ?? ''))
  const client = fixture.otherClient({ store })
  assert.equal((await client.session(browserRequest('/', cookies))).user?.email, 'ada@example.com')
  for (const gh_session of ['', 'x', 'A'.repeat(44), [...store.entries.keys()][0] ?? '']) {
    assert.equal((await client.session(browserRequest('/', { gh_session }))).status, 'signedOut')
  }

  const loggedOut = await handleLogout(browserRequest('/logout', cookies, { method: 'POST' }), {
    client,
  })
  assert.deepEqual(applySetCookies(loggedOut.headers.getSetCookie(), cookies), {})
  assert.equal(store.entries.size, 0)
  assert.deepEqual(await fixture.tenant.eventKinds(), ['login_started', 'authorize', 'logout'])
})

test('with a store a page that knows only headers refreshes, because the pair is stored without a cookie', async (t) => {
  const fixture = await createFixture(t)
  const store = memoryStore()
  const cookies = await signInWithStore(fixture, store)
  const [first] = store.entries.values()
  fixture.expireAccessTokens()
  const { headers } = browserRequest('/', cookies)
  assert.equal(
    (await fixture.otherClient({ store }).session({ headers })).user?.email,
    'ada@example.com',
  )
  const [second] = store.entries.values()
  assert.notEqual(second?.refreshToken, first?.refreshToken)
  assert.equal(
    (await fixture.otherClient({ store }).session({ headers })).status,
    'signedIn',
    'another process',
  )
  assert.deepEqual(await fixture.tenant.eventKinds(), [
    'login_started',
    'authorize',
    'token_refreshed',
  ])
})

for (const secret of [undefined, 'an-app-secret-of-enough-characters']) {
  test(`ten processes with one store ${secret ? 'and a secret' : 'and no secret'} refresh once, and all are signed in`, async (t) => {
    const fixture = await createFixture(t)
    const store = memoryStore()
    const cookies = await signInWithStore(fixture, store)
    fixture.expireAccessTokens()
    const visit = () =>
      refreshingSession(fixture.otherClient({ store, secret }), browserRequest('/', cookies))
    const sessions = await Promise.all(Array.from({ length: 10 }, visit))
    assert.deepEqual(new Set(sessions.map(({ status }) => status)), new Set(['signedIn']))
    assert.deepEqual(await fixture.tenant.eventKinds(), [
      'login_started',
      'authorize',
      'token_refreshed',
    ])
  })
}

test('a store that fails is an error, not a sign-out, and the pair is stored by the next request', async (t) => {
  const fixture = await createFixture(t)
  const store = memoryStore()
  const cookies = await signInWithStore(fixture, store)
  fixture.expireAccessTokens()
  let isDown = true
  const failing: SessionStore = {
    ...store,
    set: (...args) =>
      isDown ? Promise.reject(new Error('the database is down')) : store.set(...args),
  }
  const client = fixture.otherClient({ store: failing })
  await assert.rejects(client.session(browserRequest('/', cookies)), /database is down/)
  isDown = false
  assert.equal((await client.session(browserRequest('/', cookies))).status, 'signedIn')
  assert.equal(
    (await fixture.otherClient({ store }).session(browserRequest('/', cookies))).status,
    'signedIn',
  )
  assert.deepEqual(await fixture.tenant.eventKinds(), [
    'login_started',
    'authorize',
    'token_refreshed',
  ])
})
