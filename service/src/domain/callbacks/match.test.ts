import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slow } from '../../../test/support/tags.ts'
import { matchCallback } from './match.ts'
import { callbackFromStored, readCallbackUrl } from './url.ts'

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

test('localhost instead of 127.0.0.1 is explained: both are this machine, and a browser sees two sites', () => {
  const problemOf = (requested: string): string => {
    const match = matchCallback(
      requested,
      registered('http://localhost/cb', 'https://app.example.com/cb'),
    )
    return match.ok ? assert.fail(match.href) : match.problem
  }
  for (const host of ['127.0.0.1', '[::1]']) {
    assert.ok(
      problemOf(`http://${host}:3000/cb`).endsWith(
        `${host} and localhost are two sites for a browser: open your app at localhost, or register this URL.`,
      ),
    )
  }
  assert.doesNotMatch(problemOf('http://localhost:3000/other'), /two sites/)
  assert.doesNotMatch(problemOf('https://www.example.com/cb'), /two sites/)
})

test('a tenant without callback URLs matches no URL', () => {
  assert.match(
    JSON.stringify(matchCallback('https://app.example.com/cb', [])),
    /No callback URL is registered/,
  )
})

/**
 * The property behind the cases above. Requests are registered URLs with random changes; the oracle shares no code with the
 * matcher: it is a regular expression per registered URL, and the platform's parser.
 */
// proves C010
test('an accepted redirect_uri matches a registered URL and is exactly where a browser goes', {
  skip: slow,
}, () => {
  const list = registered(
    'https://app.example.com/cb',
    'https://*.example.com/cb?x=1',
    'http://localhost/cb',
    'http://127.0.0.1:3000/',
  )
  const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
  const language = [
    /^https:\/\/app\.example\.com\/cb$/,
    new RegExp(`^https://${label}\\.example\\.com/cb\\?x=1$`),
    /^http:\/\/localhost(?::[1-9][0-9]{0,4})?\/cb$/,
    /^http:\/\/127\.0\.0\.1:3000\/$/,
  ]
  const seeds = [
    ...list.map(({ href }) => href.replace('*', 'pr-1')),
    'http://localhost:5173/cb',
    'https://evil.test/cb',
  ]
  const scraps = [
    ...[
      '@',
      ':',
      '/',
      '//',
      '\\',
      '?',
      '#',
      '.',
      '..',
      '%',
      '%2e',
      '%2f',
      '%5c',
      '%40',
      '%00',
      '%09',
      '*',
      ';',
      '&',
      '=',
    ],
    ...[
      ' ',
      '\t',
      '\n',
      '\u0000',
      '\u3002',
      '\uff0f',
      '\uff41',
      '\u00ad',
      '\u200b',
      '\u212a',
      '-',
      '_',
      '0',
      '1',
      'a',
      'X',
    ],
    ...[
      'xn--',
      'evil.test',
      'example.com',
      'app.',
      ':443',
      ':80',
      ':3000',
      '[::1]',
      'user@',
      'https:',
      'http://',
      'x=1',
      '/cb',
    ],
  ]
  const next = seededRandom(20_240_601)
  const pick = <T>(from: readonly T[]): T => from[next() % from.length] as T

  let accepted = 0
  for (let round = 0; round < 30_000; round++) {
    let requested = pick(seeds)
    for (let damage = next() % 4; damage > 0; damage--) {
      const at = next() % (requested.length + 1)
      const cut = next() % 3
      const insert =
        next() % 5 === 0 ? pick(seeds).slice(next() % 12, 12 + (next() % 12)) : pick(scraps)
      requested = `${requested.slice(0, at)}${next() % 4 === 0 ? '' : insert}${requested.slice(at + cut)}`
    }
    const match = matchCallback(requested, list)
    if (!match.ok) {
      continue
    }
    accepted++
    assert.ok(
      language.some((pattern) => pattern.test(match.href)),
      `${JSON.stringify(requested)} led to ${match.href}`,
    )
    assert.equal(new URL(requested).href, match.href, JSON.stringify(requested))
    assert.deepEqual(matchCallback(match.href, list), match, 'the accepted URL matches itself')
  }
  assert.ok(accepted > 1_000, `only ${accepted} requests were accepted, so little was shown`)
})

test('the canonical form of a registered URL is registered unchanged', () => {
  const next = seededRandom(7)
  const alphabet = [
    'https://',
    'http://',
    'localhost',
    'a.com',
    '*.',
    ':80',
    ':443',
    '/',
    '?',
    'x',
    'X',
    '%41',
    '.',
    '@',
    '-',
    '=',
  ]
  let accepted = 0
  for (let round = 0; round < 30_000; round++) {
    const pieces = Array.from(
      { length: 2 + (next() % 6) },
      () => alphabet[next() % alphabet.length],
    )
    const raw = `${alphabet[next() % 2]}${alphabet[2 + (next() % 2)]}${pieces.join('')}`
    const read = readCallbackUrl(raw)
    if (!read.ok) {
      continue
    }
    accepted++
    assert.deepEqual(readCallbackUrl(read.callback.href), read, raw)
    assert.deepEqual(callbackFromStored(read.callback.href), read.callback, raw)
  }
  assert.ok(accepted > 1_000, `only ${accepted} URLs were accepted, so little was shown`)
})

/** xorshift32: the same requests on every run. */
function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 0
  }
}

test('the advice speaks of two sites only if both hosts are this machine; of two equally close URLs the first is named', () => {
  const match = (requested: string, ...hrefs: string[]) => {
    const found = matchCallback(requested, registered(...hrefs))
    assert.ok(!found.ok)
    return found
  }
  assert.match(
    match('http://127.0.0.1:3000/cb', 'http://localhost:3000/cb').problem,
    /two sites for a browser/,
  )
  for (const [requested, href] of [
    ['https://localhost/cb', 'https://app.example.com/cb'],
    ['https://app.example.com/cb', 'https://localhost/cb'],
  ] as const) {
    const { differs, problem } = match(requested, href)
    assert.equal(differs, 'host')
    assert.doesNotMatch(problem, /two sites/)
  }
  const [first, second] = ['https://a.example.com/cb', 'https://b.example.com/cb'] as const
  assert.equal(match('https://c.example.com/cb', first, second).closest, first)
})
