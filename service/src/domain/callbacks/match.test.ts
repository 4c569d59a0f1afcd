import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchCallback } from './match.ts'
import { callbackFromStored } from './url.ts'

const registered = (...hrefs: string[]) => hrefs.map(callbackFromStored)

const APP = registered(
  'https://app.example.com/cb',
  'https://*.example.com/cb',
  'http://localhost:3000/cb',
)

test('a login may end at a registered URL and redirects to its canonical form', () => {
  const cases = [
    ['https://app.example.com/cb', 'https://app.example.com/cb'],
    ['https://app.example.com:443/cb', 'https://app.example.com/cb'],
    ['HTTPS://APP.EXAMPLE.COM/cb', 'https://app.example.com/cb'],
    ['https://pr-1.example.com/cb', 'https://pr-1.example.com/cb'],
    ['https://PR-1.Example.com/cb', 'https://pr-1.example.com/cb'],
    ['https://7.example.com/cb', 'https://7.example.com/cb'],
    ['https://xn--bcher-kva.example.com/cb', 'https://xn--bcher-kva.example.com/cb'],
    [`https://${'a'.repeat(63)}.example.com/cb`, `https://${'a'.repeat(63)}.example.com/cb`],
    ['http://localhost:3000/cb', 'http://localhost:3000/cb'],
  ] as const
  for (const [requested, href] of cases) {
    assert.deepEqual(matchCallback(requested, APP), { ok: true, href }, requested)
  }
})

test('a login may not end at any other URL', () => {
  const requests = [
    // Another host that resembles a registered one.
    'https://app.example.com@evil.test/cb',
    'https://app.example.com:pw@evil.test/cb',
    'https://a@b@app.example.com/cb',
    'https://app.example.com%40evil.test/cb',
    'https://evilexample.com/cb',
    'https://appxexample.com/cb',
    'https://app.exampleXcom/cb',
    'https://example.com.evil.test/cb',
    'https://app.example.com.evil.test/cb',
    'https://evil.test/app.example.com/cb',
    'https://evil.test?.example.com/cb',
    'https://evil.test/.example.com/cb',
    'https://evil.test\\.example.com/cb',
    'https://evil.test#.example.com/cb',
    'https://evil.test%2f.example.com/cb',
    'https://evil.test%23.example.com/cb',
    'https://evil.test\uff0f.example.com/cb',
    'https://evil.test\u2100.example.com/cb',
    'https://evil.test\t.example.com/cb',
    'https://evil.test:443.example.com/cb',
    'https://[::1].example.com/cb',
    // The wildcard matches one label.
    'https://example.com/cb',
    'https://.example.com/cb',
    'https://..example.com/cb',
    'https://a.b.example.com/cb',
    'https://a..example.com/cb',
    'https://*.example.com/cb',
    'https://%2a.example.com/cb',
    'https://a_b.example.com/cb',
    'https://-a.example.com/cb',
    'https://a%2eb.example.com/cb',
    'https://a\u3002b.example.com/cb',
    'https://xn--a.example.com/cb',
    'https://xn--.example.com/cb',
    `https://${'a'.repeat(64)}.example.com/cb`,
    'https://pr-1.example.com./cb',
    // Other scheme or port.
    'http://app.example.com/cb',
    'http://pr-1.example.com/cb',
    'https://app.example.com:8443/cb',
    'https://app.example.com:80/cb',
    'https://app.example.com:/cb',
    'https://app.example.com:0443/cb',
    'https://localhost:3000/cb',
    'http://localhost/cb',
    'http://localhost:3001/cb',
    'http://localhost:03000/cb',
    'http://127.0.0.1:3000/cb',
    'http://localhost.:3000/cb',
    'javascript:alert(1)',
    'JaVaScRiPt://app.example.com/cb',
    'https:app.example.com/cb',
    '//app.example.com/cb',
    '',
    // Other path or query.
    'https://app.example.com',
    'https://app.example.com/cb/../evil',
    'https://app.example.com/x/../cb',
    'https://app.example.com/./cb',
    'https://app.example.com/cb/%2e%2e/x',
    'https://app.example.com/x/%2e%2e/cb',
    'https://app.example.com/x/..;/cb',
    'https://app.example.com/x/%252e%252e/cb',
    'https://app.example.com/CB',
    'https://app.example.com/%63b',
    'https://app.example.com/cb/',
    'https://app.example.com//cb',
    'https://app.example.com/cb;x',
    'https://app.example.com/cb?',
    'https://app.example.com/cb?x=1',
    'https://app.example.com/cb?error=access_denied',
    'https://app.example.com/cb#f',
    'https://app.example.com/cb#',
    'https://app.example.com/cb\n',
    ' https://app.example.com/cb',
    'https://app.example.com/c\tb',
    'https://app.example.com\\cb',
  ]
  for (const requested of requests) {
    const match = matchCallback(requested, APP)
    assert.ok(!match.ok, `${JSON.stringify(requested)} was accepted`)
    assert.match(match.problem, /\.$/, 'a problem is a sentence')
  }
})

test('a loopback URL registered without a port matches any port, and every other part must be equal', () => {
  const local = registered(
    'http://localhost/cb',
    'http://127.0.0.1/cb?x=1',
    'http://[::1]/cb',
    'https://localhost/cb',
  )
  const cases: readonly (readonly [requested: string, href: string | null])[] = [
    ['http://localhost/cb', 'http://localhost/cb'],
    ['http://localhost:80/cb', 'http://localhost/cb'],
    ['http://localhost:5173/cb', 'http://localhost:5173/cb'],
    ['http://LOCALHOST:65535/cb', 'http://localhost:65535/cb'],
    ['http://127.0.0.1:49152/cb?x=1', 'http://127.0.0.1:49152/cb?x=1'],
    ['http://[::1]:49152/cb', 'http://[::1]:49152/cb'],
    ['https://localhost:8443/cb', 'https://localhost:8443/cb'],
    ['http://localhost:0/cb', null],
    ['http://localhost:99999/cb', null],
    ['http://localhost:5173/other', null],
    ['http://127.0.0.1:49152/cb', null],
    ['http://127.0.0.1:49152/cb?x=2', null],
    ['http://127.1:49152/cb?x=1', null],
    ['http://2130706433:49152/cb?x=1', null],
    ['http://[0:0:0:0:0:0:0:1]:49152/cb', null],
    ['http://[::ffff:127.0.0.1]:49152/cb', null],
    ['http://localhost.evil.test:5173/cb', null],
    ['http://localhost:5173@evil.test/cb', null],
  ]
  for (const [requested, href] of cases) {
    const match = matchCallback(requested, local)
    assert.equal(match.ok ? match.href : null, href, requested)
  }
})

test('a loopback URL registered with port 80 matches only port 80', () => {
  const local = registered('http://localhost:80/cb')
  assert.ok(matchCallback('http://localhost/cb', local).ok)
  assert.ok(matchCallback('http://localhost:80/cb', local).ok)
  assert.ok(!matchCallback('http://localhost:8080/cb', local).ok)
})

test('an unmatched URL is rejected with the closest registered one and the part that differs', () => {
  const list = registered(
    'https://other.test/cb',
    'https://app.example.com/cb?x=1',
    'http://localhost:3000/cb',
    'https://*.preview.test:8443/cb',
  )
  const cases = [
    ['http://app.example.com/cb?x=1', 'https://app.example.com/cb?x=1', 'scheme'],
    ['http://app.example.com:443/cb?x=1', 'https://app.example.com/cb?x=1', 'scheme'],
    // An unreadable URL has no closest one.
    ['https://user@app.example.com/cb?x=1', undefined, undefined],
    ['https://app.example.com/cb', 'https://app.example.com/cb?x=1', 'query'],
    ['https://app.example.com/CB?x=1', 'https://app.example.com/cb?x=1', 'path'],
    ['https://app.example.com:444/cb?x=1', 'https://app.example.com/cb?x=1', 'port'],
    ['https://www.example.com/cb?x=1', 'https://app.example.com/cb?x=1', 'host'],
    ['https://api.other.test/cb', 'https://other.test/cb', 'host'],
    ['http://127.0.0.1:3000/cb', 'http://localhost:3000/cb', 'host'],
    ['https://localhost:3000/cb', 'http://localhost:3000/cb', 'scheme'],
    ['http://localhost:3001/cb', 'http://localhost:3000/cb', 'port'],
    ['https://a.b.preview.test:8443/cb', 'https://*.preview.test:8443/cb', 'host'],
    ['https://a.preview.test/cb', 'https://*.preview.test:8443/cb', 'port'],
  ] as const
  for (const [requested, closest, differs] of cases) {
    const match = matchCallback(requested, list)
    assert.ok(!match.ok, requested)
    assert.deepEqual([match.closest, match.differs], [closest, differs], requested)
    if (closest !== undefined) {
      assert.ok(match.problem.includes(closest) && match.problem.includes(differs), requested)
    }
  }
})

test('of URLs that differ in the host alone, the closest shares most names with the requested one', () => {
  for (const order of [(list: string[]) => list, (list: string[]) => list.toReversed()]) {
    const list = registered(
      ...order(['https://app.other.test/cb', 'https://www.example.com/cb', 'https://a.test/cb']),
    )
    const match = matchCallback('https://app.example.com/cb', list)
    assert.ok(!match.ok)
    assert.equal(match.closest, 'https://www.example.com/cb')
  }
})

test('of equally close URLs the first is named', () => {
  const [first, second] = ['https://a.example.com/cb', 'https://b.example.com/cb'] as const
  const match = matchCallback('https://c.example.com/cb', registered(first, second))
  assert.ok(!match.ok)
  assert.equal(match.closest, first)
})

test('localhost instead of 127.0.0.1 is explained: both are this machine, and a browser sees two sites', () => {
  const problemOf = (requested: string, href: string): string => {
    const match = matchCallback(requested, registered(href))
    return match.ok ? assert.fail(match.href) : match.problem
  }
  const cases = [
    ['http://127.0.0.1:3000/cb', 'http://localhost:3000/cb', true],
    ['http://[::1]:3000/cb', 'http://localhost/cb', true],
    ['http://localhost:3000/other', 'http://localhost/cb', false],
    ['https://localhost/cb', 'https://app.example.com/cb', false],
    ['https://app.example.com/cb', 'https://localhost/cb', false],
    ['https://www.example.com/cb', 'https://app.example.com/cb', false],
  ] as const
  for (const [requested, href, isExplained] of cases) {
    assert.equal(problemOf(requested, href).includes('two sites'), isExplained, requested)
  }
  assert.ok(
    problemOf('http://127.0.0.1/cb', 'http://localhost:3000/cb').includes(
      'open your app at localhost',
    ),
  )
})

test('a tenant without callback URLs matches no URL', () => {
  assert.match(
    JSON.stringify(matchCallback('https://app.example.com/cb', [])),
    /No callback URL is registered/,
  )
})
