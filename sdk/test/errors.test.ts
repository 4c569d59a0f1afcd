import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from '../../service/test/support/transport/free-port.ts'
import * as sdk from '../src/index.ts'
import { createFixture } from './support/fixture.ts'
import { apiError, createScriptedClient, json, neverResponds } from './support/scripted-client.ts'

type Class = abstract new (...args: never[]) => sdk.GatehouseError

/** Asserts the class, the code, and that the message contains no token. */
async function rejects(
  promise: Promise<unknown>,
  kind: Class,
  code: string,
): Promise<sdk.GatehouseError> {
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

test('an unknown tenant and a tenant without social login have different errors', async (t) => {
  const { service, otherClient } = await createFixture(t)
  await rejects(
    otherClient({ tenantId: 'no-such-fox-22222' }).verify('x'),
    sdk.TenantNotFoundError,
    'tenantNotFound',
  )
  const bare = await service.agent.createTenant(null)
  const client = otherClient({ tenantId: bare.id })
  for (const call of [
    () => client.verify('x'),
    () => client.refresh('x'),
    () => client.logout('x'),
  ]) {
    const error = await rejects(call(), sdk.NotProvisionedError, 'notProvisioned')
    assert.ok(error.requestId)
    assert.equal(error.retryable, false)
  }
})

test('invalid, superseded and reused refresh tokens have different errors', async (t) => {
  const { service, client, otherClient, signIn } = await createFixture(t)
  await rejects(
    client.refresh('svc_rt_garbage'),
    sdk.InvalidRefreshTokenError,
    'invalidRefreshToken',
  )
  await rejects(
    client.refresh('x'.repeat(100_000)),
    sdk.InvalidRefreshTokenError,
    'invalidRefreshToken',
  )
  const { refreshToken } = await signIn()
  await client.refresh(refreshToken)
  await rejects(
    otherClient().refresh(refreshToken),
    sdk.RefreshSupersededError,
    'refreshTokenSuperseded',
  )
  service.clock.advance({ seconds: 11 })
  await rejects(otherClient().refresh(refreshToken), sdk.RefreshReusedError, 'refreshTokenReused')
})

test('a rate-limited refresh reports Retry-After and does not spend the token', async (t) => {
  const { service, client, signIn } = await createFixture(t)
  let { refreshToken } = await signIn()
  for (let i = 0; i < 5; i++) {
    refreshToken = (await client.refresh(refreshToken)).refreshToken
  }
  const error = await rejects(client.refresh(refreshToken), sdk.RateLimitedError, 'rateLimited')
  assert.ok(error instanceof sdk.RateLimitedError && error.retryable)
  assert.equal(error.window, 'minute')
  assert.ok(
    error.retryAfterSeconds !== null &&
      error.retryAfterSeconds > 3 &&
      error.retryAfterSeconds <= 60,
  )
  service.clock.advance({ minutes: 1 })
  await client.refresh(refreshToken)
})

test('a paused and an expired tenant throw instead of reporting signedOut', async (t) => {
  const { service, tenant, client, signIn } = await createFixture(t)
  let tokens = await signIn()
  for (let events = 2; events < 100; events++) {
    if (events % 5 === 0) {
      service.clock.advance({ minutes: 1 })
    }
    tokens = await client.refresh(tokens.refreshToken)
  }
  service.clock.advance({ minutes: 1 })
  const error = await rejects(
    client.refresh(tokens.refreshToken),
    sdk.TenantPausedError,
    'tenantPaused',
  )
  assert.ok(error instanceof sdk.TenantPausedError && error.pauseReason !== null)
  await rejects(client.session(tokens), sdk.TenantPausedError, 'tenantPaused')
  assert.equal((await tenant.status()).status, 'paused')

  service.clock.advance({ hours: 72 })
  await rejects(client.session(tokens), sdk.TenantExpiredError, 'tenantExpired')
  await rejects(client.refresh(tokens.refreshToken), sdk.TenantExpiredError, 'tenantExpired')
})

test('an outage throws UnavailableError instead of reporting signedOut', async (t) => {
  const { service, client, signIn } = await createFixture(t)
  const tokens = await signIn()
  await service.stop()
  const calls = [
    () => client.verify(tokens.accessToken),
    () => client.session(tokens),
    () => client.logout(tokens.refreshToken),
  ]
  for (const call of calls) {
    const error = await rejects(call(), sdk.UnavailableError, 'unavailable')
    assert.ok(
      error instanceof sdk.UnavailableError && error.reason === 'network' && error.retryable,
    )
  }
  const unreachable = sdk.createClient({
    baseUrl: `http://localhost:${await freePort()}`,
    tenantId: 'swift-fox-running',
  })
  await rejects(unreachable.verify('x'), sdk.UnavailableError, 'unavailable')
})

test('a timeout throws UnavailableError, and verify does not retry it', async () => {
  const { client, sent } = createScriptedClient([neverResponds], { timeoutMs: 30 })
  const error = await rejects(client.verify('x'), sdk.UnavailableError, 'unavailable')
  assert.ok(error instanceof sdk.UnavailableError && error.reason === 'timeout')
  assert.equal(sent.length, 1)
})

test('an aborted signal rejects verify and session with its reason', async () => {
  const { client } = createScriptedClient([neverResponds, neverResponds])
  const reason = new Error('the visitor left')
  const controller = new AbortController()
  const pending = client.verify('x', { signal: controller.signal })
  controller.abort(reason)
  await assert.rejects(pending, reason)
  await assert.rejects(client.session({ accessToken: 'x' }, { signal: controller.signal }), reason)
})

test('a response that is not of API version 1 throws UnexpectedResponseError', async () => {
  const html = (status: number) =>
    new Response('<h1>Hello</h1>', { status, headers: { 'Content-Type': 'text/html' } })
  const user = { id: 1, email: 'a@example.com', name: null, picture: null }
  const cases: readonly (readonly [Response, RegExp])[] = [
    [html(200), /not JSON/],
    [html(404), /status 404/],
    [
      new Response(null, { status: 301, headers: { Location: 'https://evil.example/' } }),
      /status 301 instead of 200/,
    ],
    [
      json({ valid: false }, 200, { 'API-Version': '2' }),
      /API version 2; this package supports version 1/,
    ],
    [json(null), /does not match the API/],
    [json({ valid: 'yes' }), /does not match the API/],
    [json({ valid: true }), /does not match the API/],
    [json({ valid: true, user: { ...user, id: '1' } }), /does not match the API/],
    [json({ valid: true, user: { ...user, email: undefined } }), /does not match the API/],
    [apiError('unknownRoute', 404), /code unknownRoute/],
    [apiError('invalidRequest', 400), /It is invalidRequest/],
    [apiError('__proto__', 400), /code __proto__/],
  ]
  for (const [response, message] of cases) {
    const { client, sent } = createScriptedClient([response])
    const error = await rejects(
      client.verify('x'),
      sdk.UnexpectedResponseError,
      'unexpectedResponse',
    )
    assert.match(error.message, message)
    assert.equal(sent.length, 1)
  }
  for (const body of [{}, { access_token: 'a' }, { access_token: '', refresh_token: 'b' }, []]) {
    const { client } = createScriptedClient([json(body)])
    await rejects(client.refresh('x'), sdk.UnexpectedResponseError, 'unexpectedResponse')
  }
})

test("a proxy's error page is classified by its status", async () => {
  const page = (status: number, headers = {}) => new Response('<h1>no</h1>', { status, headers })
  const { client } = createScriptedClient([
    page(429, { 'Retry-After': 'Wed, 21 Oct 2065 07:28:00 GMT' }),
    page(429),
  ])
  const dated = await rejects(client.verify('x'), sdk.RateLimitedError, 'rateLimited')
  assert.ok(dated instanceof sdk.RateLimitedError && (dated.retryAfterSeconds ?? 0) > 3_600)
  await rejects(client.verify('x'), sdk.RateLimitedError, 'rateLimited')
  const { client: other, sent } = createScriptedClient([page(502), page(504)])
  const down = await rejects(other.verify('x'), sdk.UnavailableError, 'unavailable')
  assert.ok(down instanceof sdk.UnavailableError && down.reason === 'status')
  assert.equal(sent.length, 2, 'verify retries once')
})

test('createClient rejects invalid options and names the valid form', () => {
  const valid = { baseUrl: 'https://login.example.com/', tenantId: 'swift-fox-running-k3qd' }
  assert.equal(sdk.createClient(valid).baseUrl, 'https://login.example.com')
  assert.equal(
    sdk.createClient({ ...valid, baseUrl: 'http://localhost:8787/auth/' }).baseUrl,
    'http://localhost:8787/auth',
  )
  for (const baseUrl of [
    '',
    'login.example.com',
    'ftp://x',
    'https://a:b@c',
    'https://x/?y',
    'https://x/#y',
  ]) {
    assert.throws(() => sdk.createClient({ ...valid, baseUrl }), /baseUrl must be/, baseUrl)
  }
  for (const tenantId of ['', 'fox', '../x-y', 'a-b/c', 'A-B', `a-${'b'.repeat(80)}`]) {
    assert.throws(
      () => sdk.createClient({ ...valid, tenantId }),
      /tenant_id of your credentials file/,
      tenantId,
    )
  }
  for (const timeoutMs of [0, -1, Number.NaN, 1e9]) {
    assert.throws(() => sdk.createClient({ ...valid, timeoutMs }), /timeoutMs/)
  }
  for (const secret of [
    'x'.repeat(31),
    '',
    `svc_man_${'x'.repeat(42)}`,
    `svc_app_${'x'.repeat(42)}`,
  ]) {
    assert.throws(() => sdk.createClient({ ...valid, secret }), /secret/)
  }
})
