import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Fetch, InvalidRefreshTokenError, RateLimitedError, UnavailableError } from '../src/index.ts'
import { scene, WAYS } from './support/scene.ts'
import { apiError, json, PAIR, scripted, silence } from './support/scripted.ts'

/** The network eats these answers after the service has given them. */
function losing(lost: readonly ('answer' | 'half')[]): { through: (fetch: Fetch) => Fetch; answered: string[] } {
  const answered: string[] = []
  const through =
    (fetch: Fetch): Fetch =>
    async (url, init) => {
      const response = await fetch(url, init)
      if (!url.endsWith('/refresh')) return response
      const text = await response.text()
      answered.push(text)
      const loss = lost[answered.length - 1]
      if (loss === 'answer') throw new TypeError('fetch failed')
      if (loss === undefined) return new Response(text, response)
      const half = new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(text.slice(0, 20)))
          controller.error(new TypeError('terminated'))
        },
      })
      return new Response(half, response)
    }
  return { through, answered }
}

for (const way of WAYS) {
  test(`[${way}] verify, refresh and logout do what they say`, async (t) => {
    const { client, tenant, signIn } = await scene(t, { way })
    const first = await signIn()
    const [user] = await tenant.users()
    assert.ok(user)
    const { id, email, name, picture } = user
    assert.deepEqual(await client.verify(first.accessToken), { valid: true, user: { id, email, name, picture } })
    const second = await client.refresh(first.refreshToken)
    assert.deepEqual(await client.verify(first.accessToken), { valid: false })
    assert.equal((await client.verify(second.accessToken)).valid, true)
    await client.logout(second.refreshToken)
    await client.logout(second.refreshToken)
    await client.logout('garbage')
    assert.deepEqual(await client.verify(second.accessToken), { valid: false })
    for (const nothing of ['', 'x', 'é', 'a'.repeat(200_000)])
      assert.deepEqual(await client.verify(nothing), { valid: false })
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize', 'token_refreshed', 'logout'])
  })

  test(`[${way}] any number of calls at once with one token are one request, and get one pair`, async (t) => {
    const { client, tenant, signIn } = await scene(t, { way })
    const { refreshToken } = await signIn()
    const pairs = await Promise.all(Array.from({ length: 50 }, () => client.refresh(refreshToken)))
    assert.equal(new Set(pairs.map((pair) => pair.refreshToken)).size, 1)
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize', 'token_refreshed'])
  })

  for (const lost of [['answer'], ['half'], ['answer', 'half', 'answer']] as const) {
    test(`[${way}] an answer that is lost (${lost.join(', ')}) is fetched again: one refresh, and the very same pair`, async (t) => {
      const { through, answered } = losing(lost)
      const { client, tenant, signIn } = await scene(t, { way, through })
      const { refreshToken } = await signIn()
      const pair = await client.refresh(refreshToken)
      assert.equal(answered.length, lost.length + 1)
      assert.equal(new Set(answered).size, 1, 'the service said the same each time')
      assert.deepEqual(JSON.parse(answered[0] ?? ''), {
        access_token: pair.accessToken,
        refresh_token: pair.refreshToken,
      })
      assert.equal((await client.verify(pair.accessToken)).valid, true)
      assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize', 'token_refreshed'])
    })
  }

  test(`[${way}] when every answer was lost, the next call asks with the same key, and nobody is signed out`, async (t) => {
    const { through, answered } = losing(['answer', 'answer', 'answer', 'answer'])
    const { client, tenant, signIn } = await scene(t, { way, through })
    const { refreshToken } = await signIn()
    await assert.rejects(client.refresh(refreshToken), UnavailableError)
    const pair = await client.refresh(refreshToken)
    assert.equal(answered.length, 5)
    assert.equal((await client.verify(pair.accessToken)).valid, true)
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize', 'token_refreshed'])
  })
}

test('each refresh has a key of its own, which its retries share', async () => {
  const { client, sent } = scripted([
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
  for (const idempotencyKey of ['short', 'with space', 'x'.repeat(129)])
    await assert.rejects(client.refresh('x', { idempotencyKey }), TypeError)
})

test('a short "come back later" is waited for, a long one is handed on', async () => {
  const soon = scripted([apiError('rateLimited', 429, { 'Retry-After': '1' }), json(PAIR)])
  const started = performance.now()
  await soon.client.refresh('refresh-1')
  assert.ok(performance.now() - started >= 990)
  const busy = scripted([apiError('temporarilyUnavailable', 503, { 'Retry-After': '1' }), json(PAIR)])
  await busy.client.refresh('refresh-1')
  assert.equal(busy.sent.length, 2)

  const late = scripted([apiError('rateLimited', 429, { 'Retry-After': '40' }, { window: 'minute' })])
  await assert.rejects(late.client.refresh('refresh-1'), (error) => {
    assert.ok(error instanceof RateLimitedError)
    return error.retryAfterSeconds === 40 && error.window === 'minute' && error.requestId === 'request-1'
  })
  assert.equal(late.sent.length, 1)
  const down = scripted([apiError('temporarilyUnavailable', 503, { 'Retry-After': '30' })])
  await assert.rejects(down.client.refresh('refresh-1'), (error) => {
    assert.ok(error instanceof UnavailableError)
    return error.retryAfterSeconds === 30
  })
  assert.equal(down.sent.length, 1)
})

test('an answer that comes too late is asked for again; a refusal is final', async () => {
  const slow = scripted([silence, json(PAIR)], { timeoutMs: 30 })
  assert.deepEqual(await slow.client.refresh('refresh-1'), { accessToken: 'access-2', refreshToken: 'refresh-2' })
  const no = scripted([apiError('invalidRefreshToken', 401)])
  await assert.rejects(no.client.refresh('refresh-1'), InvalidRefreshTokenError)
  assert.equal(no.sent.length, 1)
})
