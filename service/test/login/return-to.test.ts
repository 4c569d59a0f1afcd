import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLoginStartRejected, returnToQuery } from '../support/actors/login-start.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { slow } from '../support/tags.ts'
import { rawHttp } from '../support/transport/raw-http.ts'
import { world } from '../support/world.ts'

const CALLBACKS = [
  'https://app.example.com/cb',
  'https://*.example.com/cb',
  'http://localhost:3000/cb',
]

for (const engine of ENGINES) {
  // proves C060, RFC 9700 4.6
  test(`[${engine}] a return_to inside the app returns unchanged and cannot inject tokens into the callback`, {
    skip: slow,
  }, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant(CALLBACKS)
    for (const returnTo of [
      '/',
      '/p?x=1&access_token=evil',
      '/p?x=1&access_token=evil&error=x#/hash',
      '/#&refresh_token=evil',
      '/a%26access_token=evil',
      '/a b+c%20d&e=f;g',
      '/grüße/✓',
      '/next?url=https://elsewhere.example/',
      `/${'x'.repeat(1_023)}`,
    ]) {
      const { callbackUrl } = await tenant.signIn(
        service.browser(),
        'Ada Lovelace',
        returnToQuery(returnTo),
      )
      assert.deepEqual(
        [...callbackUrl.searchParams.keys()],
        ['access_token', 'refresh_token', 'return_to'],
        returnTo,
      )
      assert.equal(callbackUrl.searchParams.get('return_to'), returnTo)
      assert.match(callbackUrl.searchParams.get('access_token') ?? '', /^eyJ/)
      assert.equal(callbackUrl.hash, '')
      assert.equal((await tenant.events()).at(-1)?.return_to, returnTo)
    }
  })

  test(`[${engine}] every accepted return_to fits into the callback URL, whether the user allows or cancels`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant([
      `https://app.example.com/${'c'.repeat(2_000)}`,
    ])
    const longest = `/${'%'.repeat(1_023)}`
    for (const returnTo of [longest, `/${'ü'.repeat(400)}`, `/${'✓'.repeat(300)}`]) {
      const query = `?return_to=${encodeURIComponent(returnTo)}`
      const { callbackUrl } = await tenant.signIn(service.browser(), 'Ada Lovelace', query)
      assert.equal(callbackUrl.searchParams.get('return_to'), returnTo)
      service.clock.advance({ minutes: 1 })
      const userBrowser = service.browser()
      await userBrowser.open(tenant.loginUrl + query)
      assert.equal((await userBrowser.press('Cancel')).searchParams.get('return_to'), returnTo)
    }
    const tooLong = `?return_to=${encodeURIComponent(`/${'✓'.repeat(1_000)}`)}`
    await assertLoginStartRejected(service, tenant, tooLong, 'invalidReturnTo')
  })
}

// proves C053
test('a return_to that leaves the app, as given or once decoded, is rejected before the login starts', async (t) => {
  const service = await world(t)
  const tenant = await service.agent.createTenant(CALLBACKS)
  for (const returnTo of [
    '//evil.test',
    '///evil.test',
    '/\\evil.test',
    '\\/evil.test',
    '/%2f%2fevil.test',
    '/%2Fevil.test',
    '/%5cevil.test',
    '/%09/evil.test',
    'https://evil.test',
    'HTTPS:evil.test',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    '/..//evil.test',
    '/.//evil.test',
    '/a/..//evil.test',
    '/%2e%2e//evil.test',
    '/\t/evil.test',
    '/\u00a0\u0000//evil.test',
    '/a\r\nX:1',
    '/a\nSet-Cookie: a=b',
    '/a\u0000',
    '/a\u0085b',
    'evil.test',
    'dashboard',
    '',
    '?x=1',
    '#x',
    `/${'x'.repeat(1_024)}`,
  ]) {
    await assertLoginStartRejected(service, tenant, returnToQuery(returnTo), 'invalidReturnTo')
  }
  await assertLoginStartRejected(service, tenant, '?return_to=/a%0d%0aX:1', 'invalidReturnTo')
  assert.deepEqual(await tenant.eventKinds(), [])

  const { callbackUrl } = await tenant.signIn(
    service.browser(),
    'Ada Lovelace',
    '?return_to=/a%250d%250aX:1',
  )
  assert.equal(callbackUrl.searchParams.get('return_to'), '/a%0d%0aX:1')
  assert.ok(
    callbackUrl.search.endsWith('return_to=%2Fa%250d%250aX%3A1'),
    'the percent sign stays encoded',
  )
})

// proves C053
test('a return_to that would not come back byte for byte is rejected', {
  skip: slow,
}, async (t) => {
  const service = await world(t, { through: 'port' })
  const tenant = await service.agent.createTenant(CALLBACKS)
  // Invalid UTF-8 is decoded as U+FFFD, so two different paths would come back as one.
  for (const encoded of [
    '/a%ff',
    '/%c3',
    '/%ed%a0%80',
    '/a%c0%af',
    '/%f4%90%80%80',
    '/%ef%bf%bd',
  ]) {
    await assertLoginStartRejected(service, tenant, `?return_to=${encoded}`, 'invalidReturnTo')
  }
  // Bytes that a URL cannot contain: a URL parser encodes them again or drops what follows.
  const path = `/edge/auth/${tenant.id}/google`
  for (const raw of ['/grüße', '/a#b', '/ÿ']) {
    const head = [`GET ${path}?return_to=${raw} HTTP/1.1`, 'Host: localhost', 'Connection: close']
    assert.equal((await rawHttp(service.baseUrl, head)).status, 400, raw)
  }
  assert.deepEqual(await tenant.eventKinds(), [])

  const kept = "/a%b%zz%2B+~!*()'é%C3%A9"
  const { callbackUrl } = await tenant.signIn(
    service.browser(),
    'Ada Lovelace',
    returnToQuery(kept),
  )
  assert.equal(callbackUrl.searchParams.get('return_to'), kept)
})
