import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Fetch,
  InvalidRefreshTokenError,
  RateLimitedError,
  UnavailableError,
} from '../src/index.ts'
import { createFixture, TRANSPORTS } from './support/fixture.ts'
import {
  apiError,
  createScriptedClient,
  json,
  neverResponds,
  PAIR,
} from './support/scripted-client.ts'

/** Drops these responses of the service, entirely or after 20 bytes. */
function loseResponses(lost: readonly ('all' | 'half')[]): {
  wrapFetch: (fetch: Fetch) => Fetch
  bodies: string[]
} {
  const bodies: string[] = []
  const wrapFetch =
    (fetch: Fetch): Fetch =>
    async (url, init) => {
      const response = await fetch(url, init)
      if (!url.endsWith('/refresh')) {
        return response
      }
      const text = await response.text()
      bodies.push(text)
      const loss = lost[bodies.length - 1]
      if (loss === 'all') {
        throw new TypeError('fetch failed')
      }
      if (loss === undefined) {
        return new Response(text, response)
      }
      const half = new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(text.slice(0, 20)))
          controller.error(new TypeError('terminated'))
        },
      })
      return new Response(half, response)
    }
  return { wrapFetch, bodies }
}

test('the SDK warns once, with the command that updates it, when the service announces the end of a call that it makes', async (t) => {
  const announced = (headers: Record<string, string>): Response => Response.json(PAIR, { headers })
  const ends = { 'API-Version': '1', Deprecation: '@1', Sunset: 'Sat, 01 Jan 2028 00:00:00 GMT' }
  const warn = t.mock.method(console, 'warn', () => {})
  const { client } = createScriptedClient([json(PAIR), announced(ends), announced(ends)])
  await client.refresh('refresh-1')
  assert.equal(warn.mock.callCount(), 0)
  await client.refresh('refresh-2')
  await client.refresh('refresh-3')
  assert.equal(warn.mock.callCount(), 1)
  const [warning] = warn.mock.calls[0]?.arguments ?? []
  assert.match(
    warning,
    /after Sat, 01 Jan 2028 00:00:00 GMT\..* npm install @gatehouse-auth\/sdk@latest$/,
  )
})

for (const transport of TRANSPORTS) {
  test(`[${transport}] refresh revokes the old pair, and logout ends the session and is idempotent`, async (t) => {
    const { client, tenant, signIn } = await createFixture(t, { transport })
    const first = await signIn()
    const [user] = await tenant.users()
    assert.ok(user)
    const { id, email, name, picture } = user
    assert.deepEqual(await client.verify(first.accessToken), {
      valid: true,
      user: { id, email, name, picture },
    })
    const second = await client.refresh(first.refreshToken)
    assert.deepEqual(await client.verify(first.accessToken), { valid: false })
    assert.equal((await client.verify(second.accessToken)).valid, true)
    await client.logout(second.refreshToken)
    await client.logout(second.refreshToken)
    await client.logout('garbage')
    assert.deepEqual(await client.verify(second.accessToken), { valid: false })
    for (const invalid of ['', 'x', 'é', 'a'.repeat(200_000)]) {
      assert.deepEqual(await client.verify(invalid), { valid: false })
    }
    assert.deepEqual(await tenant.eventKinds(), [
      'login_started',
      'authorize',
      'token_refreshed',
      'logout',
    ])
  })

  test(`[${transport}] 50 concurrent refreshes of one token send one request and get one pair`, async (t) => {
    const { client, tenant, signIn } = await createFixture(t, { transport })
    const { refreshToken } = await signIn()
    const pairs = await Promise.all(Array.from({ length: 50 }, () => client.refresh(refreshToken)))
    assert.equal(new Set(pairs.map((pair) => pair.refreshToken)).size, 1)
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize', 'token_refreshed'])
  })

  for (const lost of [['all'], ['half'], ['all', 'half', 'all']] as const) {
    test(`[${transport}] a lost response (${lost.join(', ')}) is retried: one refresh, and the same pair`, async (t) => {
      const { wrapFetch, bodies } = loseResponses(lost)
      const { client, tenant, signIn } = await createFixture(t, { transport, wrapFetch })
      const { refreshToken } = await signIn()
      const pair = await client.refresh(refreshToken)
      assert.equal(bodies.length, lost.length + 1)
      assert.equal(new Set(bodies).size, 1, 'the service replays the same response')
      assert.deepEqual(JSON.parse(bodies[0] ?? ''), {
        access_token: pair.accessToken,
        refresh_token: pair.refreshToken,
      })
      assert.equal((await client.verify(pair.accessToken)).valid, true)
      assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize', 'token_refreshed'])
    })
  }

  test(`[${transport}] after a refresh without any response, the next call reuses its idempotency key and the session survives`, async (t) => {
    const { wrapFetch, bodies } = loseResponses(['all', 'all', 'all', 'all'])
    const { client, tenant, signIn } = await createFixture(t, { transport, wrapFetch })
    const { refreshToken } = await signIn()
    await assert.rejects(client.refresh(refreshToken), UnavailableError)
    const pair = await client.refresh(refreshToken)
    assert.equal(bodies.length, 5)
    assert.equal((await client.verify(pair.accessToken)).valid, true)
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize', 'token_refreshed'])
  })
}

test('each refresh has its own idempotency key, and its retries share it', async () => {
  const { client, sent } = createScriptedClient([
    new TypeError('fetch failed'),
    new Response('<h1>Bad gateway</h1>', { status: 502 }),
    json(PAIR),
    json(PAIR),
    json(PAIR),
  ])
  await client.refresh('refresh-1')
  await client.refresh('refresh-2')
  await client.refresh('refresh-3', { idempotencyKey: 'my-own-key-1' })
  const keys = sent.map(({ headers }) => headers.get('idempotency-key'))
  assert.equal(new Set(keys.slice(0, 3)).size, 1)
  assert.match(keys[0] ?? '', /^[\w-]{22}$/)
  assert.notEqual(keys[3], keys[0])
  assert.equal(keys[4], 'my-own-key-1')
  assert.equal(sent[0]?.url, 'https://login.example.com/edge/auth/swift-fox-running-k3qd/refresh')
  assert.equal(sent[0]?.headers.get('user-agent'), 'gatehouse-sdk/1')
  assert.deepEqual(sent[0]?.body, { refresh_token: 'refresh-1' })
  for (const idempotencyKey of ['short', 'with space', 'x'.repeat(129)]) {
    await assert.rejects(client.refresh('x', { idempotencyKey }), TypeError)
  }
})

test('refresh waits for a Retry-After of up to 3 seconds and throws for a longer one', async () => {
  const soon = createScriptedClient([
    apiError('rateLimited', 429, { 'Retry-After': '1' }),
    json(PAIR),
  ])
  const started = performance.now()
  await soon.client.refresh('refresh-1')
  assert.ok(performance.now() - started >= 990)
  const busy = createScriptedClient([
    apiError('temporarilyUnavailable', 503, { 'Retry-After': '1' }),
    json(PAIR),
  ])
  await busy.client.refresh('refresh-1')
  assert.equal(busy.sent.length, 2)

  const late = createScriptedClient([
    apiError('rateLimited', 429, { 'Retry-After': '40' }, { window: 'minute' }),
  ])
  await assert.rejects(late.client.refresh('refresh-1'), (error) => {
    assert.ok(error instanceof RateLimitedError)
    return (
      error.retryAfterSeconds === 40 && error.window === 'minute' && error.requestId === 'request-1'
    )
  })
  assert.equal(late.sent.length, 1)
  const down = createScriptedClient([
    apiError('temporarilyUnavailable', 503, { 'Retry-After': '30' }),
  ])
  await assert.rejects(down.client.refresh('refresh-1'), (error) => {
    assert.ok(error instanceof UnavailableError)
    return error.retryAfterSeconds === 30
  })
  assert.equal(down.sent.length, 1)
})

test('refresh retries a timeout, and does not retry invalidRefreshToken', async () => {
  const slow = createScriptedClient([neverResponds, json(PAIR)], { timeoutMs: 30 })
  assert.deepEqual(await slow.client.refresh('refresh-1'), {
    accessToken: 'access-2',
    refreshToken: 'refresh-2',
  })
  const invalid = createScriptedClient([apiError('invalidRefreshToken', 401)])
  await assert.rejects(invalid.client.refresh('refresh-1'), InvalidRefreshTokenError)
  assert.equal(invalid.sent.length, 1)
})
