import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { SECRET, startApp } from './support/app.ts'
import { createFixture, type Fixture } from './support/fixture.ts'

const WITH_SECRET = { options: { secret: SECRET } }
const ONE_REFRESH = ['login_started', 'authorize', 'token_refreshed']

/** The service's clock and the app's, which goes on by itself too. */
function clocks(t: TestContext, { service }: Fixture): (seconds: number) => void {
  const systemNow = performance.now.bind(performance)
  let ahead = 0
  t.mock.method(performance, 'now', () => systemNow() + ahead)
  return (seconds) => {
    service.clock.advance({ seconds })
    ahead += seconds * 1_000
  }
}

for (const processes of [1, 2]) {
  test(`a page takes 20 seconds to renew the session, and a second tab opens after 12: both are signed in (${processes} processes)`, async (t) => {
    const fixture = await createFixture(t)
    const app = await startApp(t, fixture, { processes, ...WITH_SECRET })
    fixture.expireAccessTokens()
    const advance = clocks(t, fixture)
    const first = app.open('/slow')
    await app.slowPageRuns()
    advance(12)
    assert.equal(await app.open('/notes'), '200 ada@example.com')
    const second = app.cookies()
    advance(8)
    app.finishSlowPages()
    assert.equal(await first, '200 ada@example.com')
    assert.equal(app.cookies().gh_refresh, second.gh_refresh, 'the same pair')
    assert.equal(await app.open('/notes'), '200 ada@example.com')
    assert.deepEqual(await fixture.tenant.eventKinds(), ONE_REFRESH)
  })

  test(`a tab is closed one second into a page of three, and the next page opens 11 seconds later: signed in (${processes} processes)`, async (t) => {
    const fixture = await createFixture(t)
    const app = await startApp(t, fixture, { processes, ...WITH_SECRET })
    fixture.expireAccessTokens()
    const advance = clocks(t, fixture)
    const before = app.cookies()
    const tab = new AbortController()
    const first = app.open('/slow', { signal: tab.signal })
    await app.slowPageRuns()
    advance(1)
    tab.abort()
    await assert.rejects(first, { name: 'AbortError' })
    assert.deepEqual(app.cookies(), before, 'the new pair is lost')
    app.finishSlowPages()
    advance(10)
    assert.equal(await app.open('/notes'), '200 ada@example.com')
    assert.notEqual(app.cookies().gh_refresh, before.gh_refresh)
    assert.deepEqual(await fixture.tenant.eventKinds(), ONE_REFRESH)
  })
}

test('ten tabs, two processes behind round robin: one refresh, one pair, no retry', async (t) => {
  const fixture = await createFixture(t)
  const app = await startApp(t, fixture, { processes: 2, ...WITH_SECRET })
  fixture.expireAccessTokens()
  const opened = await Promise.all(Array.from({ length: 10 }, () => app.open('/notes')))
  assert.deepEqual(new Set(opened), new Set(['200 ada@example.com']))
  assert.equal(await app.open('/notes'), '200 ada@example.com')
  assert.deepEqual(await fixture.tenant.eventKinds(), ONE_REFRESH)
})

test('serverless: ten requests, each in an instance of its own, refresh once and are signed in', async (t) => {
  const fixture = await createFixture(t)
  const app = await startApp(t, fixture, { serverless: true, ...WITH_SECRET })
  fixture.expireAccessTokens()
  const opened = await Promise.all(Array.from({ length: 10 }, () => app.open('/notes')))
  assert.deepEqual(new Set(opened), new Set(['200 ada@example.com']))
  assert.deepEqual(await fixture.tenant.eventKinds(), ONE_REFRESH)
})

test('without a secret: ten tabs of one process refresh once', async (t) => {
  const fixture = await createFixture(t)
  const app = await startApp(t, fixture)
  fixture.expireAccessTokens()
  const opened = await Promise.all(Array.from({ length: 10 }, () => app.open('/notes')))
  assert.deepEqual(new Set(opened), new Set(['200 ada@example.com']))
  assert.deepEqual(await fixture.tenant.eventKinds(), ONE_REFRESH)
})

test('without a secret: a second process, or a second instance, sends the browser again while the cookies arrive', async (t) => {
  const fixture = await createFixture(t)
  const app = await startApp(t, fixture, { processes: 2 })
  fixture.expireAccessTokens()
  const opened = await Promise.all(Array.from({ length: 10 }, () => app.open('/notes')))
  assert.deepEqual(new Set(opened), new Set(['200 ada@example.com', '307 ']))
  for (const process of [0, 1]) {
    assert.equal(await app.open('/notes', { process }), '200 ada@example.com')
  }
  assert.deepEqual(await fixture.tenant.eventKinds(), ONE_REFRESH)
})

test('without a secret: a response lost for more than ten seconds ends the session, because it may be a theft', async (t) => {
  const fixture = await createFixture(t)
  const app = await startApp(t, fixture)
  fixture.expireAccessTokens()
  const advance = clocks(t, fixture)
  const tab = new AbortController()
  const first = app.open('/slow', { signal: tab.signal })
  await app.slowPageRuns()
  tab.abort()
  await assert.rejects(first, { name: 'AbortError' })
  app.finishSlowPages()
  advance(11)
  assert.match(await app.open('/notes'), /^401/)
  assert.deepEqual(app.cookies().gh_access, undefined, 'dead cookies are removed')
  assert.deepEqual(app.cookies().gh_refresh, undefined)
  assert.deepEqual(await fixture.tenant.eventKinds(), [...ONE_REFRESH, 'logout'])
})
