import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer, Tenant } from '../support/agent.ts'
import { ENGINES } from '../support/engines.ts'
import { assertRefused, problemPaths } from '../support/refused.ts'
import { type World, world } from '../support/world.ts'

const CALLBACKS = ['https://app.example.com/cb', 'https://*.example.com/cb', 'http://localhost:3000/cb']

const NOT_REGISTERED = [
  'https://app.example.com@evil.test/cb',
  'https://a@b@app.example.com/cb',
  'https://evilexample.com/cb',
  'https://example.com.evil.test/cb',
  'https://app.example.com.evil.test/cb',
  'https://evil.test/cb?.example.com/cb',
  'https://evil.test/https://app.example.com/cb',
  'https://a.b.example.com/cb',
  'https://example.com/cb',
  'https://.example.com/cb',
  'https://*.example.com/cb',
  'http://app.example.com/cb',
  'https://app.example.com:8443/cb',
  'https://app.example.com/cb/../evil',
  'https://app.example.com/cb/%2e%2e/x',
  'https://app.example.com/x/..;/cb',
  'https://app.example.com/x/%2e%2e%3b/cb',
  'https://app.example.com/CB',
  'https://app.example.com/cb/',
  'https://app.example.com/cb?x=1',
  'https://app.example.com/cb?',
  'https://app.example.com/cb#f',
  'https://app.example.com/%63b',
  'https://app.example.com\\@evil.test/cb',
  'https:\\\\app.example.com/cb',
  'https://app.example.com\t.evil.test/cb',
  'https://app.example.com%2eevil.test/cb',
  'https://ａpp.example.com/cb',
  'http://localhost/cb',
  'http://localhost:3001/cb',
  'http://127.0.0.1:3000/cb',
  '//app.example.com/cb',
  '/cb',
  '',
  'javascript:alert(1)',
  `https://app.example.com/cb?${'x'.repeat(4_000)}`,
]

/** Each leads out of the app, or would once somebody decodes it. */
const NOT_INSIDE = [
  '//evil.test',
  '///evil.test',
  '/\\evil.test',
  '/%2f%2fevil.test',
  '/%5cevil.test',
  'https://evil.test',
  'HTTPS:evil.test',
  'javascript:alert(1)',
  '/..//evil.test',
  '/.//evil.test',
  '/a/..//evil.test',
  '/\t/evil.test',
  '/a\r\nX:1',
  '/a\u0000',
  'evil.test',
  'dashboard',
  '',
  '?x=1',
  `/${'x'.repeat(1_024)}`,
]

const start = ({ agent }: World, tenant: Tenant, query: string, accept = 'application/json'): Promise<Answer> =>
  agent.call('GET', `/edge/auth/${tenant.id}/google${query}`, { headers: { Accept: accept } })

/** Refused to a program as JSON and to a person as a page, and neither is sent anywhere. */
async function refusedBothWays(
  at: World,
  tenant: Tenant,
  query: string,
  code: 'invalidRedirectUri' | 'invalidReturnTo',
) {
  const details = assertRefused(await start(at, tenant, query), code)
  const page = await start(at, tenant, query, 'text/html,*/*;q=0.8')
  assert.equal(page.status, 400, query)
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  for (const header of ['location', 'refresh', 'set-cookie']) assert.equal(page.headers.get(header), null)
  assert.doesNotMatch(page.text, /<a [^>]*evil|<script|http-equiv/i)
  return details
}

/** A minute later, so that no bucket is in the way. */
async function accepted(at: World, tenant: Tenant, query: string): Promise<void> {
  at.clock.advance({ minutes: 1 })
  const answer = await start(at, tenant, query)
  assert.equal(answer.status, 302, `${query} ${answer.text}`)
  assert.equal(answer.text, '')
  assert.ok(answer.headers.get('location')?.startsWith(`${at.baseUrl}/dev/google/`))
}

for (const engine of ENGINES) {
  test(`[${engine}] a redirect_uri that is not on the list is named, with the closest one, and leads nowhere`, async (t) => {
    const at = await world(t, { engine })
    const tenant = await at.agent.createTenant(CALLBACKS)
    for (const uri of NOT_REGISTERED) {
      const query = `?redirect_uri=${encodeURIComponent(uri)}`
      await refusedBothWays(at, tenant, query, 'invalidRedirectUri')
    }
    for (const [uri, closest, differs] of [
      ['https://app.example.com/CB', CALLBACKS[0], 'path'],
      ['https://app.example.com/cb?x=1', CALLBACKS[0], 'query'],
      ['https://app.example.com:8443/cb', CALLBACKS[0], 'port'],
      ['http://app.example.com/cb', CALLBACKS[0], 'scheme'],
      ['https://a.b.example.com/cb', CALLBACKS[0], 'host'],
      ['http://localhost:3001/cb', CALLBACKS[2], 'port'],
    ] as const) {
      const query = `?redirect_uri=${encodeURIComponent(uri)}`
      assert.deepEqual(await refusedBothWays(at, tenant, query, 'invalidRedirectUri'), { closest, differs }, uri)
    }
    assert.deepEqual(await tenant.eventKinds(), [])
    assert.equal((await tenant.status()).usage.events_this_minute.used, 0)
  })

  test(`[${engine}] a redirect_uri on the list is where the login ends, as it was compared`, async (t) => {
    const at = await world(t, { engine })
    const tenant = await at.agent.createTenant([...CALLBACKS, 'http://127.0.0.1/cb', 'http://[::1]/cb'])
    const ends: [string, string][] = [
      ['https://app.example.com/cb', 'https://app.example.com/cb'],
      ['https://app.example.com:443/cb', 'https://app.example.com/cb'],
      ['HTTPS://APP.Example.com/cb', 'https://app.example.com/cb'],
      ['https://pr-1.example.com/cb', 'https://pr-1.example.com/cb'],
      ['http://localhost:3000/cb', 'http://localhost:3000/cb'],
      ['http://127.0.0.1:49152/cb', 'http://127.0.0.1:49152/cb'],
      ['http://127.0.0.1/cb', 'http://127.0.0.1/cb'],
      ['http://[::1]:8080/cb', 'http://[::1]:8080/cb'],
    ]
    for (const [uri] of ends) await accepted(at, tenant, `?redirect_uri=${encodeURIComponent(uri)}`)
    const events = await tenant.events()
    assert.deepEqual(
      events.map(({ event, redirect_uri }) => [event, redirect_uri]),
      ends.map(([, canonical]) => ['login_started', canonical]),
    )
    const { landed } = await tenant.signIn(
      at.browser(),
      'Ada Lovelace',
      `?redirect_uri=https://PR-2.example.com:443/cb`,
    )
    assert.equal(landed.origin + landed.pathname, 'https://pr-2.example.com/cb')
  })

  test(`[${engine}] without redirect_uri a login ends at the first address that names one host`, async (t) => {
    const at = await world(t, { engine })
    const tenant = await at.agent.createTenant(['https://*.example.com/cb', 'http://localhost/cb', CALLBACKS[0] ?? ''])
    await accepted(at, tenant, '')
    assert.equal((await tenant.events())[0]?.redirect_uri, 'http://localhost/cb')

    await tenant.provision(['https://*.example.com/cb'])
    assertRefused(await start(at, tenant, ''), 'redirectUriRequired')
    assert.equal((await start(at, tenant, '', 'text/html')).status, 400)
    await accepted(at, tenant, '?redirect_uri=https://a.example.com/cb')
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'login_started'])
  })

  test(`[${engine}] a parameter that comes twice is refused; one that nobody knows is ignored`, async (t) => {
    const at = await world(t, { engine })
    const tenant = await at.agent.createTenant(CALLBACKS)
    const good = encodeURIComponent('https://app.example.com/cb')
    for (const query of [
      `?redirect_uri=${good}&redirect_uri=https://evil.test/cb`,
      `?redirect_uri=${good}&redirect_uri=${good}`,
      `?redirect_uri=${good}&redirect%5Furi=https://evil.test/cb`,
    ]) {
      assert.deepEqual(problemPaths(await start(at, tenant, query)), ['redirect_uri'])
      const page = await start(at, tenant, query, 'text/html')
      assert.deepEqual([page.status, page.headers.get('location')], [400, null])
    }
    assert.deepEqual(problemPaths(await start(at, tenant, '?return_to=/a&return_to=/b')), ['return_to'])
    assert.deepEqual(await tenant.eventKinds(), [])
    await accepted(at, tenant, '?utm_source=mail&state=x&code=y&__proto__=z')
    assert.deepEqual(await tenant.eventKinds(), ['login_started'])
  })

  test(`[${engine}] a return_to that leaves the app is refused before anything begins`, async (t) => {
    const at = await world(t, { engine })
    const tenant = await at.agent.createTenant(CALLBACKS)
    for (const returnTo of NOT_INSIDE) {
      await refusedBothWays(at, tenant, `?return_to=${encodeURIComponent(returnTo)}`, 'invalidReturnTo')
    }
    assert.deepEqual(await tenant.eventKinds(), [])
  })

  test(`[${engine}] a return_to inside the app comes back as it was given, beside tokens that are only ours`, async (t) => {
    const at = await world(t, { engine })
    const tenant = await at.agent.createTenant(CALLBACKS)
    for (const returnTo of [
      '/',
      '/p?x=1&access_token=evil&error=x#/hash',
      '/a%0d%0aX:1',
      '/a b+c%20d&e=f;g',
      '/grüße/✓',
      '/next?url=https://elsewhere.example/',
      `/${'x'.repeat(1_023)}`,
    ]) {
      const { landed } = await tenant.signIn(at.browser(), 'Ada Lovelace', `?return_to=${encodeURIComponent(returnTo)}`)
      assert.deepEqual([...landed.searchParams.keys()], ['access_token', 'refresh_token', 'return_to'], returnTo)
      assert.equal(landed.searchParams.get('return_to'), returnTo)
      assert.match(landed.searchParams.get('access_token') ?? '', /^eyJ/)
      assert.equal((await tenant.events()).at(-1)?.return_to, returnTo)
    }
  })

  test(`[${engine}] whatever return_to is accepted, the way back exists: allowed, denied or failed`, async (t) => {
    const at = await world(t, { engine })
    const tenant = await at.agent.createTenant([`https://app.example.com/${'c'.repeat(2_000)}`])
    const longest = `/${'%'.repeat(1_023)}`
    for (const returnTo of [longest, `/${'ü'.repeat(400)}`, `/${'✓'.repeat(300)}`]) {
      const query = `?return_to=${encodeURIComponent(returnTo)}`
      const { landed } = await tenant.signIn(at.browser(), 'Ada Lovelace', query)
      assert.equal(landed.searchParams.get('return_to'), returnTo)
      at.clock.advance({ minutes: 1 })
      const person = at.browser()
      await person.open(tenant.loginUrl + query)
      assert.equal((await person.press('Cancel')).searchParams.get('return_to'), returnTo)
    }
    const tooLong = `?return_to=${encodeURIComponent(`/${'✓'.repeat(1_000)}`)}`
    await refusedBothWays(at, tenant, tooLong, 'invalidReturnTo')
  })
}
