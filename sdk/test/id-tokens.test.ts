import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGate } from '../src/adapters/gate.ts'
import { claimsOf } from '../src/encoding.ts'
import { idTokens } from '../src/id-tokens.ts'
import {
  IdTokensOffError,
  InvalidAccessTokenError,
  InvalidCodeError,
  RateLimitedError,
} from '../src/index.ts'
import { shareIdTokens } from '../src/service/send.ts'
import { browserRequest, createFixture, tokenCookies } from './support/fixture.ts'
import { apiError, createScriptedClient, json } from './support/scripted-client.ts'

const SETTINGS = '/api/social-login/settings'
const USER = { id: 1, email: 'ada@example.com', name: 'Ada', picture: null }
const VERIFIED = () => json({ valid: true, user: USER })
const issued = (id_token: string, expires_in = 300) => json({ id_token, expires_in })
const SERVICE = { baseUrl: 'https://login.example.com', tenantId: 'swift-fox-running-k3qd' }

test('session.link returns a link for the user of the session, to a registered callback only', async (t) => {
  const { client, tenant, signIn } = await createFixture(t)
  const session = await client.session(browserRequest('/', tokenCookies(await signIn())))
  assert.ok(session.status === 'signedIn')
  assert.match(await session.link('google'), /^http[^?]+\/auth\/link\/[\w-]+\.[\w-]{43}$/)
  await assert.rejects(
    session.link('google', { redirectUri: 'https://evil.example.net/' }),
    InvalidCodeError,
  )
  await tenant.manage('POST', '/api/social-login/users/1/block')
  await assert.rejects(session.link('google'), InvalidAccessTokenError)
  assert.deepEqual(Object.keys(session), ['status', 'user', 'tokens'])
})

// proves C213
test('session.idToken returns a token of the user for the audience, on a server and by /auth/session', async (t) => {
  const { client, tenant, signIn } = await createFixture(t)
  const request = (path: string) => browserRequest(path, cookies)
  const cookies = tokenCookies(await signIn())
  const session = await client.session(request('/'))
  assert.ok(session.status === 'signedIn')
  await assert.rejects(session.idToken(), IdTokensOffError)
  await tenant.manage('PATCH', SETTINGS, {
    id_tokens: { audiences: ['first', 'second'], claims: { role: 'gärtner' } },
  })
  const { sub, aud, role } = claimsOf(await session.idToken())
  assert.deepEqual([sub, aud, role], [`${tenant.id}|1`, 'first', 'gärtner'])
  assert.equal(claimsOf(await session.idToken('second')).aud, 'second')
  // Next.js sends a session to a client component only if all of its fields are data.
  assert.deepEqual(Object.keys(session), ['status', 'user', 'tokens'])

  const errors: string[] = []
  const read = async (path: string) => {
    const passage = await createGate({ client, onError: (error) => errors.push(error.code) }).pass(
      request(path),
    )
    const response = passage.response ?? assert.fail()
    return { response, json: response.ok ? JSON.parse(await response.text()) : null }
  }
  const { json, response } = await read('/auth/session?id_token=second')
  assert.deepEqual(
    [json.status, claimsOf(json.id_token).aud, response.headers.get('cache-control')],
    ['signedIn', 'second', 'no-store'],
  )
  assert.equal(claimsOf((await read('/auth/session?id_token=')).json.id_token).aud, 'first')
  assert.deepEqual(Object.keys((await read('/auth/session')).json), ['status', 'user'])
  assert.equal((await read('/auth/session?id_token=unknown')).response.status, 503)
  assert.deepEqual(errors, ['unexpectedResponse'])
  assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize'])
})

// proves C213
test('concurrent and later calls share one request for a session and an audience; an error is not kept', async () => {
  const { client, sent } = createScriptedClient([
    VERIFIED(),
    apiError('rateLimited', 429, { 'Retry-After': '30' }),
    issued('a'),
    issued('b', 61),
  ])
  const session = await client.session({ accessToken: 'access-1' })
  assert.ok(session.status === 'signedIn')
  const failed = await Promise.allSettled([session.idToken(), session.idToken()])
  assert.deepEqual(
    failed.map((each) => each.status === 'rejected' && each.reason instanceof RateLimitedError),
    [true, true],
  )
  assert.deepEqual(await Promise.all([session.idToken(), session.idToken()]), ['a', 'a'])
  assert.deepEqual([await session.idToken('x'), await session.idToken()], ['b', 'a'])
  assert.deepEqual(
    sent.slice(1).map(({ url, body }) => [url.split('/').at(-1), body]),
    [
      ['id-token', { access_token: 'access-1' }],
      ['id-token', { access_token: 'access-1' }],
      ['id-token', { access_token: 'access-1', audience: 'x' }],
    ],
  )
})

test('an ID token is kept until a minute before its end', async () => {
  const clock = { time: 0, now: () => clock.time }
  const share = shareIdTokens(clock)
  let loads = 0
  const load = async () => ({ idToken: String(++loads), expiresIn: 100 })
  assert.deepEqual(await share('key', load), { idToken: '1', expiresIn: 100 })
  clock.time = 39_999
  assert.deepEqual(await share('key', load), { idToken: '1', expiresIn: 60 })
  assert.equal((await share('other', load)).idToken, '2')
  clock.time = 40_000
  assert.deepEqual(await share('key', load), { idToken: '3', expiresIn: 100 })
})

// proves C213
test('in a page, idTokens follows the session: null while signed out, and a revoked access token is refreshed once', async () => {
  const responses = [
    issued('a'),
    apiError('invalidAccessToken', 401),
    issued('b'),
    apiError('invalidAccessToken', 401),
  ]
  const sent: string[] = []
  const pair = { accessToken: 'access-1', refreshToken: 'r' }
  let current: string | null = 'access-1'
  let refreshed: typeof pair | null = { ...pair, accessToken: 'access-3' }
  const idToken = idTokens({
    ...SERVICE,
    session: { accessToken: async () => current, refresh: async () => refreshed },
    async fetch(_url, init) {
      sent.push(JSON.parse(String(init.body)).access_token)
      return responses[sent.length - 1] ?? assert.fail()
    },
  })
  assert.equal(await idToken(), 'a')
  current = 'access-2'
  assert.equal(await idToken(), 'b')
  current = 'access-4'
  refreshed = null
  assert.equal(await idToken(), null)
  current = null
  assert.equal(await idToken(), null)
  assert.deepEqual(sent, ['access-1', 'access-2', 'access-3', 'access-4'])
  assert.ok(new InvalidAccessTokenError('x').code === 'invalidAccessToken')
})
