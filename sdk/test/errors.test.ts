import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from '../../service/test/support/transport/free-port.ts'
import * as sdk from '../src/index.ts'
import { scene } from './support/scene.ts'
import { apiError, json, scripted, silence } from './support/scripted.ts'

type Class = abstract new (...args: never[]) => sdk.GatehouseError

/** Rejects with this class and code, and with nothing secret in the message. */
async function rejects(promise: Promise<unknown>, kind: Class, code: string): Promise<sdk.GatehouseError> {
  let caught: unknown
  await assert.rejects(promise, (error) => {
    caught = error
    return true
  })
  assert.ok(caught instanceof kind, `${caught} is not a ${kind.name}`)
  assert.ok(caught instanceof sdk.GatehouseError)
  assert.equal(caught.code, code)
  assert.equal(caught.name, kind.name)
  assert.match(caught.message, /^[A-Zb].*\.$/s)
  assert.doesNotMatch(caught.message, /svc_rt_|eyJ/)
  return caught
}

test('a project that does not exist, and one without social login, are told apart', async (t) => {
  const { here, another } = await scene(t)
  await rejects(another({ tenantId: 'no-such-fox-22222' }).verify('x'), sdk.TenantNotFoundError, 'tenantNotFound')
  const bare = await here.agent.createTenant(null)
  const client = another({ tenantId: bare.id })
  for (const call of [() => client.verify('x'), () => client.refresh('x'), () => client.logout('x')]) {
    const error = await rejects(call(), sdk.NotProvisionedError, 'notProvisioned')
    assert.ok(error.requestId)
    assert.equal(error.retryable, false)
  }
})

test('a refresh token that is no good, that lost a race, and that came back are told apart', async (t) => {
  const { here, client, another, signIn } = await scene(t)
  await rejects(client.refresh('svc_rt_garbage'), sdk.InvalidRefreshTokenError, 'invalidRefreshToken')
  await rejects(client.refresh('x'.repeat(100_000)), sdk.InvalidRefreshTokenError, 'invalidRefreshToken')
  const { refreshToken } = await signIn()
  await client.refresh(refreshToken)
  await rejects(another().refresh(refreshToken), sdk.RefreshSupersededError, 'refreshTokenSuperseded')
  here.clock.advance({ seconds: 11 })
  await rejects(another().refresh(refreshToken), sdk.RefreshReusedError, 'refreshTokenReused')
})

test('a used-up minute says when to come back, and spends nothing', async (t) => {
  const { here, client, signIn } = await scene(t)
  let { refreshToken } = await signIn()
  for (let i = 0; i < 5; i++) refreshToken = (await client.refresh(refreshToken)).refreshToken
  const error = await rejects(client.refresh(refreshToken), sdk.RateLimitedError, 'rateLimited')
  assert.ok(error instanceof sdk.RateLimitedError && error.retryable)
  assert.equal(error.window, 'minute')
  assert.ok(error.retryAfterSeconds !== null && error.retryAfterSeconds > 3 && error.retryAfterSeconds <= 60)
  here.clock.advance({ minutes: 1 })
  await client.refresh(refreshToken)
})

test('a paused and an expired project throw, and are no sign-out', async (t) => {
  const { here, tenant, client, signIn } = await scene(t)
  let tokens = await signIn()
  for (let events = 2; events < 100; events++) {
    if (events % 5 === 0) here.clock.advance({ minutes: 1 })
    tokens = await client.refresh(tokens.refreshToken)
  }
  here.clock.advance({ minutes: 1 })
  const error = await rejects(client.refresh(tokens.refreshToken), sdk.TenantPausedError, 'tenantPaused')
  assert.ok(error instanceof sdk.TenantPausedError && error.pauseReason !== null)
  await rejects(client.session(tokens), sdk.TenantPausedError, 'tenantPaused')
  assert.equal((await tenant.status()).status, 'paused')

  here.clock.advance({ hours: 72 })
  await rejects(client.session(tokens), sdk.TenantExpiredError, 'tenantExpired')
  await rejects(client.refresh(tokens.refreshToken), sdk.TenantExpiredError, 'tenantExpired')
})

test('a service that is down is not a sign-out either', async (t) => {
  const { here, client, signIn } = await scene(t)
  const tokens = await signIn()
  await here.stop()
  const acts = [
    () => client.verify(tokens.accessToken),
    () => client.session(tokens),
    () => client.logout(tokens.refreshToken),
  ]
  for (const act of acts) {
    const error = await rejects(act(), sdk.UnavailableError, 'unavailable')
    assert.ok(error instanceof sdk.UnavailableError && error.reason === 'network' && error.retryable)
  }
  const nobody = sdk.createClient({ baseUrl: `http://localhost:${await freePort()}`, tenantId: 'swift-fox-running' })
  await rejects(nobody.verify('x'), sdk.UnavailableError, 'unavailable')
})

test('an answer that does not come in time is given up, and verify does not ask for it twice', async () => {
  const { client, sent } = scripted([silence], { timeoutMs: 30 })
  const error = await rejects(client.verify('x'), sdk.UnavailableError, 'unavailable')
  assert.ok(error instanceof sdk.UnavailableError && error.reason === 'timeout')
  assert.equal(sent.length, 1)
})

test('whoever waits may stop waiting, and hears their own reason', async () => {
  const { client } = scripted([silence, silence])
  const reason = new Error('the visitor left')
  const stop = new AbortController()
  const waiting = client.verify('x', { signal: stop.signal })
  stop.abort(reason)
  await assert.rejects(waiting, reason)
  await assert.rejects(client.session({ accessToken: 'x' }, { signal: stop.signal }), reason)
})

test('what is not the service, or not the version we know, is said to be so', async () => {
  const html = (status: number) => new Response('<h1>Hello</h1>', { status, headers: { 'Content-Type': 'text/html' } })
  const user = { id: 1, email: 'a@example.com', name: null, picture: null }
  const cases: readonly (readonly [Response, RegExp])[] = [
    [html(200), /not JSON/],
    [html(404), /status 404/],
    [new Response(null, { status: 301, headers: { Location: 'https://evil.example/' } }), /status 301.*not send on/],
    [json({ valid: false }, 200, { 'API-Version': '2' }), /version 2.*knows version 1: update/],
    [json(null), /not in the words/],
    [json({ valid: 'yes' }), /not in the words/],
    [json({ valid: true }), /not in the words/],
    [json({ valid: true, user: { ...user, id: '1' } }), /not in the words/],
    [json({ valid: true, user: { ...user, email: undefined } }), /not in the words/],
    [apiError('unknownRoute', 404), /code unknownRoute/],
    [apiError('invalidRequest', 400), /It is invalidRequest/],
    [apiError('__proto__', 400), /code __proto__/],
  ]
  for (const [response, message] of cases) {
    const { client, sent } = scripted([response])
    const error = await rejects(client.verify('x'), sdk.UnexpectedResponseError, 'unexpectedAnswer')
    assert.match(error.message, message)
    assert.equal(sent.length, 1)
  }
  for (const body of [{}, { access_token: 'a' }, { access_token: '', refresh_token: 'b' }, []]) {
    const { client } = scripted([json(body)])
    await rejects(client.refresh('x'), sdk.UnexpectedResponseError, 'unexpectedAnswer')
  }
})

test('a proxy that answers in its own words is understood by its status', async () => {
  const page = (status: number, headers = {}) => new Response('<h1>no</h1>', { status, headers })
  const { client } = scripted([page(429, { 'Retry-After': 'Wed, 21 Oct 2065 07:28:00 GMT' }), page(429)])
  const dated = await rejects(client.verify('x'), sdk.RateLimitedError, 'rateLimited')
  assert.ok(dated instanceof sdk.RateLimitedError && (dated.retryAfterSeconds ?? 0) > 3_600)
  await rejects(client.verify('x'), sdk.RateLimitedError, 'rateLimited')
  const { client: other, sent } = scripted([page(502), page(504)])
  const down = await rejects(other.verify('x'), sdk.UnavailableError, 'unavailable')
  assert.ok(down instanceof sdk.UnavailableError && down.reason === 'status')
  assert.equal(sent.length, 2, 'verify is asked once more')
})

test('options that cannot work are refused at once, with what to write instead', () => {
  const good = { baseUrl: 'https://login.example.com/', tenantId: 'swift-fox-running-k3qd' }
  assert.equal(sdk.createClient(good).baseUrl, 'https://login.example.com')
  assert.equal(
    sdk.createClient({ ...good, baseUrl: 'http://localhost:8787/auth/' }).baseUrl,
    'http://localhost:8787/auth',
  )
  for (const baseUrl of ['', 'login.example.com', 'ftp://x', 'https://a:b@c', 'https://x/?y', 'https://x/#y']) {
    assert.throws(() => sdk.createClient({ ...good, baseUrl }), /baseUrl must be/, baseUrl)
  }
  for (const tenantId of ['', 'fox', '../x-y', 'a-b/c', 'A-B', `a-${'b'.repeat(80)}`]) {
    assert.throws(() => sdk.createClient({ ...good, tenantId }), /tenant_id of your credentials file/, tenantId)
  }
  for (const timeoutMs of [0, -1, Number.NaN, 1e9])
    assert.throws(() => sdk.createClient({ ...good, timeoutMs }), /timeoutMs/)
  assert.throws(() => sdk.createClient({ ...good, userAgent: 'a\r\nX: 1' }), /userAgent/)
})
