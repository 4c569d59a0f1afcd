import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGate } from '../src/adapters/gate.ts'
import { type GatehouseError, isNavigation } from '../src/index.ts'
import { browserRequest, createFixture, tokenCookies } from './support/fixture.ts'
import { apiError, createScriptedClient, json } from './support/scripted-client.ts'

const USER = { id: 1, email: 'ada@example.com', name: 'Ada', picture: null }
const NAVIGATION = { 'Sec-Fetch-Mode': 'navigate', Accept: 'text/html' }
const FETCH = { 'Sec-Fetch-Mode': 'cors', Accept: '*/*' }
const JSON_FETCH = { Accept: 'application/json' }

test('a guarded fetch gets 401 JSON with the login path, and a navigation gets the login', async () => {
  const { client, sent } = createScriptedClient([])
  const gate = createGate({ client, protect: ['/notes'] })
  for (const headers of [FETCH, JSON_FETCH, { 'X-Requested-With': 'XMLHttpRequest' }]) {
    const { response } = await gate.pass(browserRequest('/notes/7', {}, { headers }))
    assert.equal(response?.status, 401)
    assert.equal(response?.headers.get('location'), null)
    assert.match((await response?.text()) ?? '', /"login":"\/login"/)
  }
  for (const headers of [NAVIGATION, {}, { Accept: '*/*' }]) {
    const { response } = await gate.pass(browserRequest('/notes/7?x=1', {}, { headers }))
    assert.equal(response?.status, 303)
    const location = new URL(response?.headers.get('location') ?? '')
    assert.equal(location.origin, 'https://login.example.com')
    assert.equal(location.searchParams.get('return_to'), '/notes/7?x=1')
    assert.equal(location.searchParams.get('response_type'), 'code')
  }
  const { response } = await gate.pass(browserRequest('/notes', {}), { path: '/notes', kind: 'data' })
  assert.equal(response?.headers.get('location'), '/login?return_to=%2Fnotes', "for the framework's own script")
  assert.equal(isNavigation(browserRequest('/')), true)
  assert.deepEqual(sent, [], 'no request to the service')
})

test('a path is protected with everything below it, and nothing else is', async () => {
  const { client } = createScriptedClient([])
  const gate = createGate({ client, protect: ['/notes', '/a/'] })
  for (const path of ['/notes', '/notes/', '/notes/7', '/a/', '/a/b']) {
    assert.equal((await gate.pass(browserRequest(path))).response?.status, 303, path)
  }
  for (const path of ['/', '/notes-public', '/about', '/b/notes']) {
    assert.equal((await gate.pass(browserRequest(path))).response, null, path)
  }
})

test('an outage is 503 for pages and scripts, never signed out, and the cookies stay', async () => {
  for (const error of [
    new TypeError('fetch failed'),
    apiError('temporarilyUnavailable', 503, { 'Retry-After': '7' }),
    apiError('tenantPaused', 403),
    apiError('rateLimited', 429, { 'Retry-After': '7' }),
  ]) {
    for (const headers of [NAVIGATION, FETCH]) {
      const again = (): Response | Error => (error instanceof Response ? error.clone() : error)
      const { client } = createScriptedClient([again(), again()])
      const errors: GatehouseError[] = []
      const gate = createGate({ client, protect: ['/notes'], onError: (each) => errors.push(each) })
      for (const path of ['/notes']) {
        const { response } = await gate.pass(browserRequest(path, { gh_access: 'a', gh_refresh: 'r' }, { headers }))
        assert.equal(response?.status, 503)
        assert.deepEqual(response?.headers.getSetCookie(), [])
        assert.match(await (response?.text() ?? ''), /still signed in/)
        if (errors[0]?.code === 'rateLimited') assert.equal(response?.headers.get('retry-after'), '7')
      }
      assert.equal(errors.length, 1)
    }
  }
})

test('the session is JSON for the scripts of a page, refreshed, and 503 in an outage', async (t) => {
  const { client, tenant, signIn, expireAccessTokens } = await createFixture(t)
  const gate = createGate({ client })
  const cookies = tokenCookies(await signIn())
  expireAccessTokens()
  const { response } = await gate.pass(browserRequest('/auth/session', cookies, { headers: FETCH }))
  assert.match((await response?.text()) ?? '', /^{"status":"signedIn","user":{"id":1,"email":"ada@example.com",/)
  assert.equal(response?.headers.getSetCookie().length, 2)
  const anonymous = await gate.pass(browserRequest('/auth/session', {}, { headers: FETCH }))
  assert.deepEqual(await anonymous.response?.json(), { status: 'signedOut', user: null })
  assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize', 'token_refreshed'])
})

test('the cookies of an ended session are removed with the redirect to the login, and with the 401', async () => {
  for (const headers of [NAVIGATION, FETCH]) {
    const { client } = createScriptedClient([json({ valid: false }), apiError('refreshTokenReused', 401)])
    const gate = createGate({ client, protect: ['/notes'] })
    const { response } = await gate.pass(browserRequest('/notes', { gh_access: 'a', gh_refresh: 'r' }, { headers }))
    const removed = response?.headers.getSetCookie().filter((line) => line.includes('Max-Age=0'))
    assert.deepEqual(
      removed?.map((line) => line.split('=')[0]),
      ['gh_access', 'gh_refresh'],
    )
  }
})

test('a client that is a function is created at the first request, once', async () => {
  let created = 0
  const { client } = createScriptedClient([json({ valid: true, user: USER })])
  const gate = createGate({
    client: () => {
      created++
      return client
    },
    protect: ['/notes'],
  })
  assert.equal(created, 0)
  await gate.pass(browserRequest('/notes'))
  const passage = await gate.pass(browserRequest('/notes', { gh_access: 'a' }))
  assert.equal(passage.response === null && passage.session.user?.email, 'ada@example.com')
  assert.equal(created, 1)
})
