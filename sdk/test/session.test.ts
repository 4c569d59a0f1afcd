import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forwardCookies, redirectToRetry, type TokenPair, UnavailableError } from '../src/index.ts'
import {
  applySetCookies,
  browserRequest,
  createFixture,
  refreshingSession,
  TRANSPORTS,
  tokenCookies,
} from './support/fixture.ts'
import { apiError, createScriptedClient, json, PAIR } from './support/scripted-client.ts'

const STORED = { refresh: true, onTokens: () => {} } as const
const USER = { id: 1, email: 'ada@example.com', name: 'Ada', picture: null }

for (const transport of TRANSPORTS) {
  test(`[${transport}] a valid access token is verified without a refresh, and no cookie is set`, async (t) => {
    const { client, tenant, signIn } = await createFixture(t, { transport })
    const session = await refreshingSession(
      client,
      browserRequest('/notes', tokenCookies(await signIn())),
    )
    assert.equal(session.status, 'signedIn')
    assert.equal(session.user?.email, 'ada@example.com')
    assert.deepEqual([session.tokens, session.setCookies], [null, []])
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize'])
  })

  // proves C132
  test(`[${transport}] an expired access token is refreshed, and the new pair is returned in setCookies`, async (t) => {
    const { client, tenant, signIn, expireAccessTokens } = await createFixture(t, { transport })
    const old = await signIn()
    expireAccessTokens()
    const session = await refreshingSession(client, browserRequest('/notes', tokenCookies(old)))
    assert.equal(session.status, 'signedIn')
    assert.ok(session.tokens)
    assert.deepEqual(applySetCookies(session.setCookies), tokenCookies(session.tokens))
    for (const line of session.setCookies) {
      assert.match(line, /; Path=\/; Max-Age=\d+; HttpOnly; Secure; SameSite=Lax$/)
    }
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize', 'token_refreshed'])

    const again = await refreshingSession(
      client,
      browserRequest('/notes', applySetCookies(session.setCookies)),
    )
    assert.deepEqual([again.status, again.tokens], ['signedIn', null])
    const stored: (TokenPair | null)[] = []
    const { refreshToken } = session.tokens
    const onlyRefresh = await client.session(
      { refreshToken },
      { refresh: true, onTokens: (pair) => void stored.push(pair) },
    )
    assert.equal(onlyRefresh.user?.email, 'ada@example.com')
    assert.deepEqual(stored, [onlyRefresh.tokens])
  })

  test(`[${transport}] 50 concurrent requests with one expired pair refresh once, and all are signed in`, async (t) => {
    const { client, tenant, signIn, expireAccessTokens } = await createFixture(t, { transport })
    const cookies = tokenCookies(await signIn())
    expireAccessTokens()
    const sessions = await Promise.all(
      Array.from({ length: 50 }, () =>
        refreshingSession(client, browserRequest('/notes', cookies)),
      ),
    )
    assert.deepEqual(new Set(sessions.map(({ status }) => status)), new Set(['signedIn']))
    assert.equal(new Set(sessions.map(({ tokens }) => tokens?.refreshToken)).size, 1)
    const late = await refreshingSession(client, browserRequest('/notes', cookies))
    assert.deepEqual(
      [late.status, late.tokens],
      ['signedIn', sessions[0]?.tokens],
      'so is a request shortly after',
    )
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize', 'token_refreshed'])
  })

  test(`[${transport}] a session that another process has just refreshed is superseded, and redirectToRetry repeats the request`, async (t) => {
    const { service, client, otherClient, tenant, signIn, expireAccessTokens } =
      await createFixture(t, { transport })
    const cookies = tokenCookies(await signIn())
    expireAccessTokens()
    const winner = await refreshingSession(otherClient(), browserRequest('/notes', cookies))
    assert.equal(winner.status, 'signedIn')
    const loser = await refreshingSession(client, browserRequest('/notes', cookies))
    assert.deepEqual(loser, { status: 'superseded', user: null, tokens: null, setCookies: [] })
    const retried = await refreshingSession(
      client,
      browserRequest('/notes', applySetCookies(winner.setCookies, cookies)),
    )
    assert.equal(retried.status, 'signedIn')
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize', 'token_refreshed'])

    const response = await redirectToRetry(browserRequest('/notes?page=2'))
    assert.deepEqual([response.status, response.headers.get('location')], [307, '/notes?page=2'])
    assert.equal(
      (await redirectToRetry(browserRequest('http://app.example//evil.example/x'))).headers.get(
        'location',
      ),
      '/evil.example/x',
    )
    assert.equal(service.stopped(), false)
  })

  test(`[${transport}] without tokens, with invalid tokens, after a logout and after a replay the session is signedOut`, async (t) => {
    const { service, client, otherClient, signIn } = await createFixture(t, { transport })
    const signedOut = { status: 'signedOut', user: null, tokens: null, setCookies: [] }
    assert.deepEqual(await refreshingSession(client, browserRequest('/')), signedOut)
    const { setCookies: _none, ...withoutCookies } = signedOut
    assert.deepEqual(await client.session({}), withoutCookies)
    assert.deepEqual(await client.session({ accessToken: '', refreshToken: null }), withoutCookies)
    assert.deepEqual(
      await refreshingSession(client, browserRequest('/', { other: 'x', gh_access: '' })).then(
        ({ status }) => status,
      ),
      'signedOut',
    )

    const invalid = await refreshingSession(
      client,
      browserRequest('/', { gh_access: 'x', gh_refresh: 'y', other: 'z' }),
    )
    assert.equal(invalid.status, 'signedOut')
    assert.deepEqual(
      applySetCookies(invalid.setCookies, { gh_access: 'x', gh_refresh: 'y', other: 'z' }),
      {
        other: 'z',
      },
    )
    const expired = await refreshingSession(client, browserRequest('/', { gh_access: 'x' }))
    assert.deepEqual(expired.setCookies, [
      'gh_access=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax',
    ])

    const stored: (TokenPair | null)[] = []
    const onTokens = {
      refresh: true,
      onTokens: (pair: TokenPair | null) => void stored.push(pair),
    } as const
    const ended = await signIn()
    await client.logout(ended.refreshToken)
    assert.equal((await client.session(ended, onTokens)).status, 'signedOut')
    assert.deepEqual(stored, [null])

    const stolen = await signIn()
    await otherClient().refresh(stolen.refreshToken)
    service.clock.advance({ seconds: 11 })
    assert.equal((await client.session(stolen, onTokens)).status, 'signedOut')
  })
}

test('a page that cannot set cookies never rotates: its expired session is `expired`, and the next response that can refreshes it', async (t) => {
  const { service, client, otherClient, tenant, signIn, expireAccessTokens } =
    await createFixture(t)
  const cookies = tokenCookies(await signIn())
  expireAccessTokens()
  const { headers } = browserRequest('/about', cookies)
  assert.deepEqual(await client.session({ headers }), {
    status: 'expired',
    user: null,
    tokens: null,
  })
  service.clock.advance({ minutes: 20 })
  assert.equal((await otherClient().session(browserRequest('/about', cookies))).status, 'expired')
  assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize'], 'nothing was rotated')

  const renewed = await refreshingSession(client, browserRequest('/notes', cookies))
  assert.equal(renewed.status, 'signedIn')
  assert.equal(
    (await client.session({ headers })).status,
    'signedIn',
    'a page behind a middleware of the same process',
  )
  // @ts-expect-error: JavaScript callers have no compiler
  await assert.rejects(client.session({ headers }, { refresh: true }), /setCookie/)
  // @ts-expect-error: likewise
  await assert.rejects(client.session({ refreshToken: 'x' }, { refresh: true }), /onTokens/)
})

test('a pair refreshed just before an outage is returned to the next request', async () => {
  const { client, sent } = createScriptedClient([
    json({ valid: false }),
    json(PAIR),
    new TypeError('fetch failed'),
    new TypeError('fetch failed'),
    json({ valid: false }),
    json({ valid: true, user: USER }),
  ])
  const cookies = { gh_access: 'access-1', gh_refresh: 'refresh-1' }
  await assert.rejects(refreshingSession(client, browserRequest('/', cookies)), UnavailableError)
  const session = await refreshingSession(client, browserRequest('/', cookies))
  assert.equal(session.status, 'signedIn')
  assert.deepEqual(applySetCookies(session.setCookies), {
    gh_access: 'access-2',
    gh_refresh: 'refresh-2',
  })
  assert.equal(sent.filter(({ url }) => url.endsWith('/refresh')).length, 1)
})

test('a late request with the old cookies refreshes the recent pair if its access token is no longer valid', async () => {
  const pair = (number: number): Response =>
    json({ access_token: `a${number}`, refresh_token: `r${number}` })
  const [valid, invalid] = [() => json({ valid: true, user: USER }), () => json({ valid: false })]
  const script = [
    invalid(),
    pair(2),
    valid(),
    invalid(),
    invalid(),
    pair(3),
    valid(),
    invalid(),
    invalid(),
    valid(),
  ]
  const { client, sent } = createScriptedClient(script)
  const open = () =>
    refreshingSession(client, browserRequest('/', { gh_access: 'a1', gh_refresh: 'r1' }))
  assert.equal((await open()).tokens?.refreshToken, 'r2')
  for (const request of ['refreshes', 'finds the pair of the one before']) {
    const late = await open()
    assert.equal(late.user?.email, 'ada@example.com', request)
    assert.deepEqual(late.tokens, { accessToken: 'a3', refreshToken: 'r3' })
    const lines = late.setCookies.map((line) => line.split(';')[0])
    assert.deepEqual(lines, ['gh_access=a3', 'gh_refresh=r3'])
  }
  const refreshed = sent
    .filter(({ url }) => url.endsWith('/refresh'))
    .map(({ body }) => body.refresh_token)
  assert.deepEqual(refreshed, ['r1', 'r2'])
})

test('a late request with the old cookies is signed out if the session has ended meanwhile', async () => {
  const script = [json(PAIR), json({ valid: true, user: USER }), json({ valid: false })]
  const { client } = createScriptedClient([...script, apiError('invalidRefreshToken', 401)])
  const open = () => refreshingSession(client, browserRequest('/', { gh_refresh: 'r1' }))
  await open()
  const late = await open()
  assert.equal(late.status, 'signedOut')
  assert.match(late.setCookies.join(), /^gh_refresh=; .*Max-Age=0/)
})

test('session throws every error that does not end the session', async () => {
  for (const [status, code] of [
    [403, 'tenantPaused'],
    [403, 'notProvisioned'],
    [410, 'tenantExpired'],
    [429, 'rateLimited'],
    [404, 'unknownRoute'],
  ] as const) {
    const { client } = createScriptedClient([json({ valid: false }), apiError(code, status)])
    await assert.rejects(
      client.session({ accessToken: 'a', refreshToken: 'b' }, STORED),
      Error,
      code,
    )
  }
  const { client } = createScriptedClient([
    json({ valid: false }),
    json(PAIR),
    json({ valid: false }),
  ])
  assert.equal(
    (await client.session({ accessToken: 'a', refreshToken: 'b' }, STORED)).status,
    'signedOut',
  )
})

test('forwardCookies replaces the old pair in the Cookie header of a request', async () => {
  const { headers } = browserRequest(
    '/',
    { gh_access: 'old', theme: 'dark' },
    { headers: { 'X-Mine': '1' } },
  )
  const forwarded = forwardCookies(headers, [
    'gh_access=new; Path=/',
    'gh_refresh=r; Path=/; Max-Age=5',
  ])
  assert.equal(forwarded.get('cookie'), 'gh_access=new; theme=dark; gh_refresh=r')
  assert.equal(forwarded.get('x-mine'), '1')
  assert.equal(headers.get('cookie'), 'gh_access=old; theme=dark')
  assert.equal(forwardCookies(headers, []).get('cookie'), headers.get('cookie'))
  const cleared = forwardCookies(browserRequest('/', { gh_access: 'a' }).headers, [
    'gh_access=; Path=/; Max-Age=0',
  ])
  assert.equal(cleared.get('cookie'), null)
})
