import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { devGoogle } from '../../src/identity/dev-google/dev-google.ts'
import type { Pair, Tenant } from '../support/actors/agent.ts'
import { Browser } from '../support/actors/browser.ts'
import { waitUntil, withinTwoSeconds } from '../support/process/wait-until.ts'
import { freePort } from '../support/transport/free-port.ts'
import { listen } from '../support/transport/listen.ts'
import { type World, type WorldOptions, world } from '../support/world.ts'

/** Two instances behind one address, on one PostgreSQL. */
async function two(t: TestContext, env: WorldOptions['env'] = {}): Promise<{ a: World; b: World }> {
  const a = await world(t, { engine: 'postgres', env })
  return { a, b: await world(t, { like: a }) }
}

/** A tenant with somebody signed in, seen from both. */
async function signedIn({ a, b }: { a: World; b: World }): Promise<{ atA: Tenant; atB: Tenant; pair: Pair }> {
  const atA = await a.agent.createTenant()
  const pair = await atA.signIn(a.browser())
  a.clock.advance({ minutes: 1 })
  return { atA, atB: atA.at(b.agent), pair }
}

test('of 20 refreshes of one token over two instances exactly one succeeds', async (t) => {
  const { atA, atB, pair } = await signedIn(await two(t))
  const { refresh_token } = pair
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? atA : atB).edge('refresh', { refresh_token })),
  )
  const won = responses.filter(({ status }) => status === 200)
  assert.equal(won.length, 1)
  const codes = new Set(responses.filter(({ status }) => status !== 200).map(({ json }) => json.error.code))
  assert.deepEqual([...codes], ['refreshTokenSuperseded'])
  for (const tenant of [atA, atB]) {
    assert.equal(await tenant.isValid(won[0]?.json.access_token), true)
    await waitUntil('the old token is invalid', async () => !(await tenant.isValid(pair.access_token)))
  }
  assert.deepEqual(await atB.eventKinds(), ['login_started', 'authorize', 'token_refreshed'])
})

test('what is refreshed or signed out at one instance is dead at the other within 2 seconds', async (t) => {
  const { atA, atB, pair } = await signedIn(await two(t))
  assert.equal(await atB.isValid(pair.access_token), true)
  const next = await atA.refresh(pair.refresh_token)
  await withinTwoSeconds('the refreshed token is invalid at B', async () => !(await atB.isValid(pair.access_token)))
  assert.equal(await atB.isValid(next.access_token), true)

  await atB.edge('logout', { refresh_token: next.refresh_token })
  await withinTwoSeconds('the token is invalid at A', async () => !(await atA.isValid(next.access_token)))
  await atA.assertRefreshRejected(next.refresh_token, 'invalidRefreshToken')
  assert.deepEqual(await atA.eventKinds(), ['login_started', 'authorize', 'token_refreshed', 'logout'])
})

test('what is deleted at one instance is dead at the other within 2 seconds, also after it is set up anew', async (t) => {
  const { atA, atB, pair } = await signedIn(await two(t))
  assert.equal(await atB.isValid(pair.access_token), true)
  assert.equal((await atA.manage('DELETE', '/api/resources/social-login')).status, 200)
  const verify = () => atB.edge('verify', { access_token: pair.access_token })
  await withinTwoSeconds('the token is invalid at B', async () => (await verify()).json.valid !== true)
  assert.equal((await atB.edge('refresh', { refresh_token: pair.refresh_token })).json.error.code, 'notProvisioned')

  await atB.provision(['https://app.example.com/callback'])
  for (const tenant of [atA, atB]) {
    assert.deepEqual((await tenant.edge('verify', { access_token: pair.access_token })).json, { valid: false })
    await tenant.assertRefreshRejected(pair.refresh_token, 'invalidRefreshToken')
    assert.deepEqual(await tenant.users(), [])
    assert.deepEqual(await tenant.events(), [])
  }
})

test('a refresh goes by the tenant as it was seen long ago, unless the other instance has changed it since', async (t) => {
  const { a, b } = await two(t)
  const { atA, atB, pair } = await signedIn({ a, b })
  let { refresh_token } = await atB.refresh(pair.refresh_token)
  const looks = t.mock.method(b.app.ctx.stores.tenants, 'find')
  a.clock.advance({ hours: 1 })
  ;({ refresh_token } = await atB.refresh(refresh_token))
  assert.equal(looks.mock.callCount(), 0)

  assert.equal((await atA.manage('DELETE', '/api/resources/social-login')).status, 200)
  const refused = await atB.edge('refresh', { refresh_token })
  assert.equal(refused.json.error.code, 'notProvisioned')
})

test('whoever waits for events at one instance hears of a login at the other', async (t) => {
  const { a, b } = await two(t)
  const atA = await a.agent.createTenant()
  const waiters = t.mock.method(b.app.ctx.signals, 'listen').mock
  const waiting = atA.at(b.agent).manage('GET', '/api/social-login/events?wait=25')
  await waitUntil('it waits', () => waiters.callCount() === 1)
  const began = performance.now()
  await a.browser().request(atA.loginUrl)
  const { json } = await waiting
  assert.ok(performance.now() - began < 20_000, 'it was woken, and did not wait its 25 seconds')
  assert.deepEqual(
    json.events.map(({ event }: { event: string }) => event),
    ['login_started'],
  )
})

test('200 logins that start at once over two instances are 5 events in that minute, and no more', async (t) => {
  const { a, b } = await two(t)
  const atA = await a.agent.createTenant()
  const links = [atA.loginUrl, atA.at(b.agent).loginUrl]
  const responses = await Promise.all(
    Array.from({ length: 200 }, (_, index) => a.browser().request(links[index % 2] ?? '')),
  )
  const count = (status: number) => responses.filter((response) => response.status === status).length
  assert.equal(count(302), 5)
  // On a slow machine some wait too long for a connection, and are told to come back.
  assert.equal(count(429) + count(503), 195)
  assert.deepEqual(await atA.eventKinds(), Array(5).fill('login_started'))
  const { status, usage } = await atA.status()
  assert.equal(status, 'ephemeral')
  assert.deepEqual(usage.events_this_minute, { used: 5, limit: 5 })
  assert.equal(usage.events_lifetime.used, 5)
})

test('one source makes ten guests a minute over two instances, and no eleventh', async (t) => {
  const { a, b } = await two(t)
  const make = () =>
    Promise.all(Array.from({ length: 30 }, (_, index) => (index % 2 ? a : b).agent.call('POST', '/api/genesis')))
  const made = (await make()).filter(({ status }) => status === 201)
  assert.equal(made.length, 10)
  assert.equal((await a.agent.call('POST', '/api/genesis')).status, 429)
  a.clock.advance({ minutes: 1 })
  assert.equal((await b.agent.call('POST', '/api/genesis')).status, 201)
})

test('a login that starts at one instance is finished and decided at the other', async (t) => {
  const BASE_URL = `http://localhost:${await freePort()}`
  const { server, port } = await listen(t)
  const issuer = `http://localhost:${port}`
  const client = { clientId: 'two-instances', clientSecret: 'secret-of-two-instances' }
  const google = await devGoogle({
    issuer,
    clients: [{ ...client, redirectUris: [`${BASE_URL}/auth/google/callback`] }],
  })
  server.on('request', google.listener)
  const { a, b } = await two(t, {
    BASE_URL,
    GOOGLE_ISSUER: issuer,
    GOOGLE_CLIENT_ID: client.clientId,
    GOOGLE_CLIENT_SECRET: client.clientSecret,
  })
  const atA = await a.agent.createTenant()
  // Behind the one address, the balancer sends this browser first here, then there.
  const person = new Browser({ origins: [issuer, b.agent.baseUrl] })
  const toB = (url: URL): string => b.agent.baseUrl + url.pathname + url.search

  const started = await person.request(atA.loginUrl)
  await person.open(started.headers.get('location') ?? '')
  const callback = await person.press('Ada Lovelace')
  assert.equal(callback.origin, BASE_URL)
  const consent = await person.open(toB(callback))
  await person.open(toB(consent))
  const landed = await person.press('Continue')

  assert.equal(await atA.isValid(landed.searchParams.get('access_token') ?? ''), true)
  assert.deepEqual(await atA.eventKinds(), ['login_started', 'authorize'])
  await person.open(a.agent.baseUrl + callback.pathname + callback.search)
  assert.deepEqual(await atA.eventKinds(), ['login_started', 'authorize'])
})
