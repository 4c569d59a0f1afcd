import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { assertApiError, problemPaths } from '../support/actors/api-error.ts'
import { ENGINES, type Engine } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

/** A signed-in user of an owned app, whose SDK sends bound keys (decision 44). */
async function scene(t: TestContext, engine: Engine) {
  const service = await world(t, { engine })
  const tenant = await service.agent.createTenant()
  const pair = await tenant.signIn(service.browser())
  service.clock.advance({ minutes: 1 })
  /** One key for each browser and refresh token, as our SDK derives it. */
  const keyOf = (refresh_token: string, browser: string): string =>
    `gh1_${browser}-${refresh_token.slice(-30)}`
  const send = (refresh_token: string, key: string | null = keyOf(refresh_token, 'laptop')) =>
    tenant.edge('refresh', { refresh_token }, key === null ? {} : { 'Idempotency-Key': key })
  const refresh = async (refresh_token: string) => {
    const { status, json, text } = await send(refresh_token)
    assert.equal(status, 200, text)
    return json as { access_token: string; refresh_token: string }
  }
  /** The session ended as after a theft. */
  const assertEnded = async (response: Awaited<ReturnType<typeof send>>, accessToken: string) => {
    assertApiError(response, 'refreshTokenReused')
    assert.equal(await tenant.isValid(accessToken), false)
    assert.deepEqual((await tenant.events()).at(-1)?.metadata, { reason: 'refresh_reuse' })
  }
  return { ...service, tenant, pair, keyOf, send, refresh, assertEnded }
}

for (const engine of ENGINES) {
  test(`[${engine}] after a lost response the same browser gets the same refresh token and a new access token, hours later`, async (t) => {
    const { tenant, pair, refresh, send, clock, agent } = await scene(t, engine)
    const lost = await refresh(pair.refresh_token)
    clock.advance({ hours: 2 })
    assert.equal(await tenant.isValid(lost.access_token), false, 'it has expired')
    const before = await tenant.eventKinds()
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => refresh(pair.refresh_token)),
    )
    assert.deepEqual(
      [...new Set(responses.map((each) => each.refresh_token))],
      [lost.refresh_token],
    )
    for (const { access_token } of responses) {
      assert.equal(await tenant.isValid(access_token), true)
    }
    assert.deepEqual(await tenant.eventKinds(), before, 'a repeat is no event')
    const { text } = await agent.call('GET', '/metrics')
    assert.match(
      text,
      /^gatehouse_late_repeats_total 1$/m,
      'one wrote, the others repeated its response',
    )

    clock.advance({ minutes: 10 })
    const next = await refresh(lost.refresh_token)
    for (const { access_token } of responses) {
      assert.equal(await tenant.isValid(access_token), false)
    }
    assert.equal(await tenant.isValid(next.access_token), true)
    assert.equal((await send(next.refresh_token)).status, 200)
  })

  // proves S004
  test(`[${engine}] a late repeat is refused to another browser, another key and a request without a key, and ends the session`, async (t) => {
    for (const key of ['gh1_another-browser', 'some-other-key', null]) {
      const { pair, refresh, send, clock, assertEnded } = await scene(t, engine)
      const lost = await refresh(pair.refresh_token)
      clock.advance({ seconds: 11 })
      await assertEnded(await send(pair.refresh_token, key), lost.access_token)
    }
  })

  test(`[${engine}] a key that is not bound to a browser repeats a refresh for a minute only`, async (t) => {
    const { pair, send, clock, assertEnded } = await scene(t, engine)
    const first = await send(pair.refresh_token, 'an-app-key')
    clock.advance({ seconds: 60 })
    assert.equal((await send(pair.refresh_token, 'an-app-key')).text, first.text)
    clock.advance({ seconds: 1 })
    await assertEnded(await send(pair.refresh_token, 'an-app-key'), first.json.access_token)
  })

  test(`[${engine}] a late repeat works for 24 hours after the refresh, however often it was repeated`, async (t) => {
    const { pair, refresh, send, clock, assertEnded } = await scene(t, engine)
    const lost = await refresh(pair.refresh_token)
    for (let hours = 0; hours < 24; hours += 6) {
      clock.advance({ hours: 6 })
      assert.equal((await refresh(pair.refresh_token)).refresh_token, lost.refresh_token)
    }
    clock.advance({ minutes: 2 })
    await assertEnded(await send(pair.refresh_token), lost.access_token)
  })

  test(`[${engine}] a late repeat in two generations running ends the session`, async (t) => {
    const { pair, refresh, send, clock, assertEnded } = await scene(t, engine)
    const lost = await refresh(pair.refresh_token)
    clock.advance({ hours: 1 })
    await refresh(pair.refresh_token)
    clock.advance({ hours: 1 })
    const lostAgain = await refresh(lost.refresh_token)
    clock.advance({ hours: 1 })
    await assertEnded(await send(lost.refresh_token), lostAgain.access_token)
  })

  test(`[${engine}] after a generation without one, a late repeat works again`, async (t) => {
    const { pair, refresh, clock } = await scene(t, engine)
    const lost = await refresh(pair.refresh_token)
    clock.advance({ hours: 1 })
    await refresh(pair.refresh_token)
    clock.advance({ hours: 1 })
    const stored = await refresh(lost.refresh_token)
    clock.advance({ hours: 1 })
    const lostAgain = await refresh(stored.refresh_token)
    clock.advance({ hours: 1 })
    assert.equal((await refresh(stored.refresh_token)).refresh_token, lostAgain.refresh_token)
  })

  test(`[${engine}] a refresh token two generations old ends the session, also with its bound key`, async (t) => {
    const { pair, refresh, send, assertEnded } = await scene(t, engine)
    const second = await refresh(pair.refresh_token)
    const third = await refresh(second.refresh_token)
    await assertEnded(await send(pair.refresh_token), third.access_token)
  })

  test(`[${engine}] a logout after a late repeat takes effect at once`, async (t) => {
    const { tenant, pair, refresh, clock, send } = await scene(t, engine)
    await refresh(pair.refresh_token)
    clock.advance({ hours: 2 })
    const repeated = await refresh(pair.refresh_token)
    assert.equal((await tenant.edge('logout', { refresh_token: pair.refresh_token })).status, 200)
    assert.equal(await tenant.isValid(repeated.access_token), false)
    assertApiError(await send(pair.refresh_token), 'invalidRefreshToken')
  })

  test(`[${engine}] a late repeat works at a second instance`, async (t) => {
    const here = await scene(t, engine)
    const lost = await here.refresh(here.pair.refresh_token)
    here.clock.advance({ hours: 2 })
    const other = await world(t, { like: here })
    const path = `/edge/auth/${here.tenant.id}/refresh`
    const headers = { 'Idempotency-Key': here.keyOf(here.pair.refresh_token, 'laptop') }
    const { json } = await other.agent.call('POST', path, {
      body: { refresh_token: here.pair.refresh_token },
      headers,
    })
    assert.equal(json.refresh_token, lost.refresh_token)
  })

  test(`[${engine}] parallel refreshes by different user agents are a race, and the session lives`, async (t) => {
    const { tenant, pair } = await scene(t, engine)
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        tenant.edge(
          'refresh',
          { refresh_token: pair.refresh_token },
          { 'User-Agent': `agent/${at}` },
        ),
      ),
    )
    const [winner, ...more] = responses.filter(({ status }) => status === 200)
    assert.equal(more.length, 0)
    for (const loser of responses.filter(({ status }) => status !== 200)) {
      assertApiError(loser, 'refreshTokenSuperseded')
    }
    assert.equal(await tenant.isValid(winner?.json.access_token), true)
    assert.equal((await tenant.eventKinds()).includes('logout'), false)
  })

  test(`[${engine}] within the leeway of the resource the previous refresh token returns the same pair without a key`, async (t) => {
    const { tenant, pair, send, clock, assertEnded } = await scene(t, engine)
    const configuration = {
      callback_url: 'https://app.example.com/callback',
      refresh_leeway_seconds: 30,
    }
    const provisioned = await tenant.manage('POST', '/api/resources/social-login', configuration)
    assert.equal(provisioned.json.refresh_leeway_seconds, 30)
    const kept = await tenant.provision(['https://app.example.com/callback'])
    assert.equal(kept.json.refresh_leeway_seconds, 30, 'unchanged if absent')

    const first = await send(pair.refresh_token, null)
    clock.advance({ seconds: 30 })
    const again = await send(pair.refresh_token, null)
    assert.deepEqual([again.status, again.text], [200, first.text])
    clock.advance({ seconds: 1 })
    await assertEnded(await send(pair.refresh_token, null), first.json.access_token)
  })
}

test('a refresh whose tenant or session changes during each of three tries is 503, and consumes nothing', async (t) => {
  const { app, pair, refresh, send, clock } = await scene(t, 'sqlite')
  const { stores } = app.ctx
  const tenantChanges = t.mock.method(stores, 'refresh', () =>
    Promise.resolve({ outcome: 'tenant-changed' } as const),
  )
  assert.equal((await send(pair.refresh_token)).status, 503)
  assert.equal(tenantChanges.mock.callCount(), 3)
  tenantChanges.mock.restore()
  const lost = await refresh(pair.refresh_token)
  clock.advance({ hours: 2 })
  const sessionChanges = t.mock.method(stores.sessions, 'reissue', () => Promise.resolve(false))
  assert.equal((await send(pair.refresh_token)).status, 503)
  assert.equal(sessionChanges.mock.callCount(), 3)
  sessionChanges.mock.restore()
  assert.equal((await refresh(pair.refresh_token)).refresh_token, lost.refresh_token)
})

test('after a refresh found no social login, which another instance deleted, the tenant is read again', async (t) => {
  const { app, pair, send } = await scene(t, 'sqlite')
  const { stores } = app.ctx
  const reads = t.mock.method(stores.tenants, 'find')
  const deleted = t.mock.method(stores, 'refresh', () =>
    Promise.resolve({ outcome: 'not-provisioned' } as const),
  )
  assertApiError(await send(pair.refresh_token), 'notProvisioned')
  deleted.mock.restore()
  const before = reads.mock.callCount()
  assert.equal((await send(pair.refresh_token)).status, 200)
  assert.equal(reads.mock.callCount(), before + 1)
})

test('the leeway is a whole number from 0 to 60, and is not reported when it is 0', async (t) => {
  const { agent } = await world(t)
  const tenant = await agent.createTenant()
  const path = '/api/resources/social-login'
  const callback_url = 'https://app.example.com/callback'
  for (const refresh_leeway_seconds of [-1, 61, 1.5, '30', null]) {
    const rejected = await tenant.manage('POST', path, { callback_url, refresh_leeway_seconds })
    assert.deepEqual(problemPaths(rejected), ['refresh_leeway_seconds'])
  }
  const none = await tenant.manage('POST', path, { callback_url, refresh_leeway_seconds: 0 })
  assert.equal('refresh_leeway_seconds' in none.json, false)
})
