import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askAgain, forwardCookies, type Session, UnavailableError } from '../src/index.ts'
import { cookiesOf, jar, scene, visit, WAYS } from './support/scene.ts'
import { apiError, json, PAIR, scripted } from './support/scripted.ts'

const USER = { id: 1, email: 'ada@example.com', name: 'Ada', picture: null }

for (const way of WAYS) {
  test(`[${way}] a good access token needs nothing else, and nothing is stored`, async (t) => {
    const { client, tenant, signIn } = await scene(t, { way })
    const session = await client.session(visit('/notes', cookiesOf(await signIn())))
    assert.equal(session.status, 'signedIn')
    assert.equal(session.user?.email, 'ada@example.com')
    assert.deepEqual([session.tokens, session.setCookies], [null, []])
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize'])
  })

  test(`[${way}] an expired pair is renewed on the way, and the new one comes back to be stored`, async (t) => {
    const { client, tenant, signIn, anHourLater } = await scene(t, { way })
    const old = await signIn()
    anHourLater()
    const session = await client.session(visit('/notes', cookiesOf(old)))
    assert.equal(session.status, 'signedIn')
    assert.ok(session.tokens)
    assert.deepEqual(jar(session.setCookies), cookiesOf(session.tokens))
    for (const line of session.setCookies) assert.match(line, /; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/)
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize', 'token_refreshed'])

    const again = await client.session(visit('/notes', jar(session.setCookies)))
    assert.deepEqual([again.status, again.tokens], ['signedIn', null])
    const onlyRefresh = await client.session({ refreshToken: session.tokens.refreshToken })
    assert.equal(onlyRefresh.user?.email, 'ada@example.com')
  })

  test(`[${way}] 50 requests at once with one expired pair refresh once, and all are signed in`, async (t) => {
    const { client, tenant, signIn, anHourLater } = await scene(t, { way })
    const cookies = cookiesOf(await signIn())
    anHourLater()
    const sessions = await Promise.all(Array.from({ length: 50 }, () => client.session(visit('/notes', cookies))))
    assert.deepEqual(new Set(sessions.map(({ status }) => status)), new Set(['signedIn']))
    assert.equal(new Set(sessions.map(({ tokens }) => tokens?.refreshToken)).size, 1)
    const late = await client.session(visit('/notes', cookies))
    assert.deepEqual([late.status, late.tokens], ['signedIn', sessions[0]?.tokens], 'a moment later too')
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize', 'token_refreshed'])
  })

  test(`[${way}] a session that another process refreshed a moment ago is neither in nor out: ask again`, async (t) => {
    const { here, client, another, tenant, signIn, anHourLater } = await scene(t, { way })
    const cookies = cookiesOf(await signIn())
    anHourLater()
    const winner = await another().session(visit('/notes', cookies))
    assert.equal(winner.status, 'signedIn')
    const loser = await client.session(visit('/notes', cookies))
    assert.deepEqual(loser, { status: 'superseded', user: null, tokens: null, setCookies: [] })
    const retried = await client.session(visit('/notes', jar(winner.setCookies, cookies)))
    assert.equal(retried.status, 'signedIn')
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize', 'token_refreshed'])

    const response = await askAgain(visit('/notes?page=2'))
    assert.deepEqual([response.status, response.headers.get('location')], [307, '/notes?page=2'])
    assert.equal(
      (await askAgain(visit('http://app.example//evil.example/x'))).headers.get('location'),
      '/evil.example/x',
    )
    assert.equal(here.stopped(), false)
  })

  test(`[${way}] without tokens, with garbage, after a logout and after a replay somebody is signed out`, async (t) => {
    const { here, client, another, signIn } = await scene(t, { way })
    const nobody: Session = { status: 'signedOut', user: null, tokens: null, setCookies: [] }
    assert.deepEqual(await client.session(visit('/')), nobody)
    assert.deepEqual(await client.session({}), nobody)
    assert.deepEqual(await client.session({ accessToken: '', refreshToken: null }), nobody)
    assert.deepEqual(
      await client.session(visit('/', { other: 'x', gh_access: '' })).then(({ status }) => status),
      'signedOut',
    )

    const garbage = await client.session(visit('/', { gh_access: 'x', gh_refresh: 'y', other: 'z' }))
    assert.equal(garbage.status, 'signedOut')
    assert.deepEqual(jar(garbage.setCookies, { gh_access: 'x', gh_refresh: 'y', other: 'z' }), { other: 'z' })
    const expired = await client.session(visit('/', { gh_access: 'x' }))
    assert.deepEqual(expired.setCookies, ['gh_access=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax'])

    const left = await signIn()
    await client.logout(left.refreshToken)
    assert.equal((await client.session(left)).status, 'signedOut')

    const stolen = await signIn()
    await another({ userAgent: 'thief/1' }).refresh(stolen.refreshToken)
    here.clock.advance({ seconds: 11 })
    assert.equal((await client.session(stolen)).status, 'signedOut')
  })
}

test('a pair made just before the service went away is not lost: the next request gets it', async () => {
  const { client, sent } = scripted([
    json({ valid: false }),
    json(PAIR),
    new TypeError('fetch failed'),
    new TypeError('fetch failed'),
    json({ valid: false }),
    json({ valid: true, user: USER }),
  ])
  const cookies = { gh_access: 'access-1', gh_refresh: 'refresh-1' }
  await assert.rejects(client.session(visit('/', cookies)), UnavailableError)
  const session = await client.session(visit('/', cookies))
  assert.equal(session.status, 'signedIn')
  assert.deepEqual(jar(session.setCookies), { gh_access: 'access-2', gh_refresh: 'refresh-2' })
  assert.equal(sent.filter(({ url }) => url.endsWith('/refresh')).length, 1)
})

test('only the service can say that a session is over: everything else is thrown', async () => {
  for (const [status, code] of [
    [403, 'tenantPaused'],
    [403, 'notProvisioned'],
    [410, 'tenantExpired'],
    [429, 'rateLimited'],
    [404, 'unknownRoute'],
  ] as const) {
    const { client } = scripted([json({ valid: false }), apiError(code, status)])
    await assert.rejects(client.session({ accessToken: 'a', refreshToken: 'b' }), Error, code)
  }
  const { client } = scripted([json({ valid: false }), json(PAIR), json({ valid: false })])
  assert.equal((await client.session({ accessToken: 'a', refreshToken: 'b' })).status, 'signedOut')
})

test('what runs after a middleware sees the new pair, and only that', async () => {
  const { headers } = visit('/', { gh_access: 'old', theme: 'dark' }, { headers: { 'X-Mine': '1' } })
  const forwarded = forwardCookies(headers, ['gh_access=new; Path=/', 'gh_refresh=r; Path=/; Max-Age=5'])
  assert.equal(forwarded.get('cookie'), 'gh_access=new; theme=dark; gh_refresh=r')
  assert.equal(forwarded.get('x-mine'), '1')
  assert.equal(headers.get('cookie'), 'gh_access=old; theme=dark')
  assert.equal(forwardCookies(headers, []).get('cookie'), headers.get('cookie'))
  const cleared = forwardCookies(visit('/', { gh_access: 'a' }).headers, ['gh_access=; Path=/; Max-Age=0'])
  assert.equal(cleared.get('cookie'), null)
})
