import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callbackFromStored, defaultCallback, readCallbackList, readCallbackUrl } from './url.ts'

const registered = (...hrefs: string[]) => hrefs.map(callbackFromStored)

test('a registered URL is returned in canonical form', () => {
  const cases = [
    ['https://app.example.com/cb', 'https://app.example.com/cb'],
    ['HTTPS://App.Example.COM/Cb', 'https://app.example.com/Cb'],
    ['https://app.example.com', 'https://app.example.com/'],
    ['https://app.example.com?x=1', 'https://app.example.com/?x=1'],
    ['https://app.example.com/cb?', 'https://app.example.com/cb?'],
    ['https://app.example.com:443/cb', 'https://app.example.com/cb'],
    ['https://app.example.com:8443/cb', 'https://app.example.com:8443/cb'],
    ['https://app.example.com/cb?Tenant=A%2fb&x', 'https://app.example.com/cb?Tenant=A%2fb&x'],
    [
      'https://app.example.com/@me/caf%C3%A9;v=1//x',
      'https://app.example.com/@me/caf%C3%A9;v=1//x',
    ],
    [
      'https://app.example.com/next?to=%2Fa%3Ferror%3D1',
      'https://app.example.com/next?to=%2Fa%3Ferror%3D1',
    ],
    ['https://*.Example.com/cb', 'https://*.example.com/cb'],
    ['https://*.team.vercel.app/cb', 'https://*.team.vercel.app/cb'],
    ['https://xn--bcher-kva.example/cb', 'https://xn--bcher-kva.example/cb'],
    ['https://intranet/cb', 'https://intranet/cb'],
    ['https://203.0.113.7/cb', 'https://203.0.113.7/cb'],
    ['https://[2001:DB8::1]:8443/cb', 'https://[2001:db8::1]:8443/cb'],
    ['http://localhost/cb', 'http://localhost/cb'],
    ['http://localhost:3000/cb', 'http://localhost:3000/cb'],
    ['http://127.0.0.1:3000/cb', 'http://127.0.0.1:3000/cb'],
    ['http://[::1]/cb', 'http://[::1]/cb'],
    ['https://localhost:5173/cb', 'https://localhost:5173/cb'],
  ] as const
  for (const [raw, href] of cases) {
    const read = readCallbackUrl(raw)
    assert.ok(read.ok, `${raw}: ${read.ok ? '' : read.problem}`)
    assert.equal(read.callback.href, href)
    assert.equal(read.warning, undefined, raw)
    assert.deepEqual(
      callbackFromStored(href),
      read.callback,
      'what is stored reads back as what was registered',
    )
  }
})

test('a loopback URL keeps an explicit default port, because without a port it means any port', () => {
  const withPort = readCallbackUrl('http://localhost:80/cb')
  assert.ok(withPort.ok)
  assert.equal(withPort.callback.href, 'http://localhost:80/cb')
  assert.equal(withPort.callback.port, 80)

  const without = readCallbackUrl('http://localhost/cb')
  assert.ok(without.ok)
  assert.equal(without.callback.port, 'any')
})

test('an ambiguous or unsafe callback URL is rejected with the reason', () => {
  const cases: readonly (readonly [raw: string, reason: RegExp])[] = [
    // Not a web URL.
    ['', /absolute URL/],
    ['javascript:alert(1)', /absolute URL/],
    ['JaVaScRiPt://x/%0aalert(1)', /absolute URL/],
    ['data:text/html,x', /absolute URL/],
    ['myapp://cb', /absolute URL/],
    ['ftp://app.example.com/cb', /absolute URL/],
    ['blob:https://app.example.com/cb', /absolute URL/],
    ['//app.example.com/cb', /absolute URL/],
    ['/cb', /absolute URL/],
    ['https:app.example.com', /absolute URL/],
    ['https:/app.example.com/cb', /absolute URL/],
    ['https:///app.example.com/cb', /absolute URL/],
    ['https://', /absolute URL/],
    ['https://?x', /absolute URL/],
    // Text that the parser would repair.
    [' https://app.example.com/cb', /space/],
    ['https://app.example.com/cb ', /space/],
    ['https://app.example.com/cb\n', /control character/],
    ['ht\ttps://app.example.com/cb', /control character/],
    ['https://app.exa\tmple.com/cb', /control character/],
    ['https://app.example.com/c\rb', /control character/],
    ['https://app.example.com/cb\u0000', /control character/],
    ['https://app.example.com\\cb', /backslash/],
    ['https:\\\\app.example.com\\cb', /backslash/],
    ['https://app.example.com/cb#', /fragment/],
    ['https://app.example.com/cb#token', /fragment/],
    ['https://app.example.com/caf\u00e9', /outside ASCII/],
    ['https://b\u00fccher.example/cb', /xn--/],
    ['https://app.ex\uff41mple.com/cb', /outside ASCII/],
    ['https://app\u3002example.com/cb', /outside ASCII/],
    ['https://app.example.com/cb?x="y"', /Browsers change/],
    ["https://app.example.com/cb?x='y'", /Browsers change/],
    ['https://app.example.com/<cb>', /Browsers change/],
    // User names.
    ['https://user@app.example.com/cb', /"@"/],
    ['https://user:pass@app.example.com/cb', /"@"/],
    ['https://@app.example.com/cb', /"@"/],
    ['https://a@b@app.example.com/cb', /"@"/],
    ['https://app.example.com@@evil.test/cb', /"@"/],
    ['https://app.example.com%40evil.test/cb', /percent-encoded/],
    // Hosts.
    ['https://%2a.example.com/cb', /percent-encoded/],
    ['https://app%2eexample.com/cb', /percent-encoded/],
    ['https://app.example.com./cb', /ends with a dot/],
    ['http://localhost./cb', /ends with a dot/],
    ['https://app..example.com/cb', /empty label/],
    ['https://.example.com/cb', /empty label/],
    ['https://app_1.example.com/cb', /not a host label/],
    ['https://-app.example.com/cb', /not a host label/],
    ['https://app-.example.com/cb', /not a host label/],
    ['https://app!.example.com/cb', /not a host label/],
    [`https://${'a'.repeat(64)}.example.com/cb`, /not a host label/],
    [`https://${'a.'.repeat(126)}test/cb`, /longer than 253/],
    ['https://xn--a.example.com/cb', /xn--/],
    ['https://xn--.example.com/cb', /xn--|host label/],
    ['https://xn--abc-.example.com/cb', /host label/],
    ['https://xn--80akhbyknj4.xn--zz-zz.test/cb', /xn--/],
    ['https://2130706433/cb', /as "127\.0\.0\.1"/],
    ['http://2130706433/', /as "127\.0\.0\.1"/],
    ['http://127.1/', /as "127\.0\.0\.1"/],
    ['https://127.1/cb', /as "127\.0\.0\.1"/],
    ['https://0x7f.0.0.1/cb', /as "127\.0\.0\.1"/],
    ['https://0177.0.0.1/cb', /as "127\.0\.0\.1"/],
    ['https://256.1.1.1/cb', /not a host/],
    ['https://1.2.3.4.5/cb', /not a host/],
    ['http://[0:0:0:0:0:0:0:1]/cb', /as "\[::1\]"/],
    ['https://[0:0:0:0:0:0:0:1]/cb', /as "\[::1\]"/],
    ['https://[::ffff:127.0.0.1]/cb', /as "\[::ffff:7f00:1\]"/],
    ['https://[::1%25eth0]/cb', /percent-encoded/],
    ['https://[::1/cb', /host is not valid/],
    ['https://::1/cb', /host is not valid|port/],
    ['https://[::1]x/cb', /host is not valid/],
    // Ports.
    ['https://app.example.com:/cb', /port/],
    ['https://app.example.com:0/cb', /port/],
    ['https://app.example.com:0443/cb', /port/],
    ['https://app.example.com:65536/cb', /port/],
    ['https://app.example.com:4a3/cb', /port/],
    ['https://app.example.com:443:443/cb', /port/],
    ['https://example.com:*/cb', /port/],
    // Plain http to another machine.
    ['http://app.example.com/cb', /http is allowed only/],
    ['http://localhost.evil.test/cb', /http is allowed only/],
    ['http://app.localhost/cb', /http is allowed only/],
    ['http://127.0.0.2/cb', /http is allowed only/],
    ['http://*.example.com/cb', /http is allowed only/],
    // Wildcards.
    ['https://*/cb', /domain after it/],
    ['https://*.com/cb', /anyone can register/],
    ['https://*.co.uk/cb', /anyone can register/],
    ['https://*.CO.UK/cb', /anyone can register/],
    ['https://*.xn--p1ai/cb', /anyone can register/],
    ['https://*.ck/cb', /anyone can register/],
    ['https://*.kawasaki.jp/cb', /anyone can register/],
    ['https://*.intranet/cb', /anyone can register/],
    ['https://*.localhost/cb', /cannot stand before "localhost"/],
    ['https://*.127.0.0.1/cb', /not a host/],
    ['https://*.[::1]/cb', /host is not valid/],
    ['https://a*.example.com/cb', /whole left-most label/],
    ['https://*a.example.com/cb', /whole left-most label/],
    ['https://**.example.com/cb', /whole left-most label/],
    ['https://*.*.example.com/cb', /whole left-most label/],
    ['https://app.*.example.com/cb', /whole left-most label/],
    ['https://app.example.*/cb', /whole left-most label/],
    ['https://app.example.com/*', /not allowed in the path/],
    ['https://app.example.com/cb?x=*', /not allowed in the query/],
    // Ambiguous paths.
    ['https://app.example.com/cb/../evil', /segment/],
    ['https://app.example.com/./cb', /segment/],
    ['https://app.example.com/..', /segment/],
    ['https://app.example.com/cb/%2e%2e/x', /segment/],
    ['https://app.example.com/cb/%2E./x', /segment/],
    ['https://app.example.com/cb/%252e%252e/x', /segment/],
    ['https://app.example.com/cb/%25252e%25252e/x', /segment/],
    ['https://app.example.com/x/..;/cb', /segment/],
    ['https://app.example.com/x/..;a=b/cb', /segment/],
    ['https://app.example.com/x/..%3B/cb', /segment/],
    ['https://app.example.com/x/..%20/cb', /segment/],
    ['https://app.example.com/x/..%09/cb', /control character/],
    ['https://app.example.com/x%2f..%2fcb', /segment/],
    ['https://app.example.com/x/..%252fcb', /segment/],
    ['https://app.example.com/x/..%5ccb', /backslash/],
    ['https://app.example.com/%255c', /backslash/],
    ['https://app.example.com/cb%00', /control character/],
    ['https://app.example.com/cb%0d%0aX:1', /control character/],
    ['https://app.example.com/%c0%ae%c0%ae/cb', /UTF-8/],
    ['https://app.example.com/100%', /%25/],
    ['https://app.example.com/%zz', /%25/],
    // Parameters that the login adds itself.
    ['https://app.example.com/cb?access_token=x', /"access_token"/],
    ['https://app.example.com/cb?x=1&refresh_token=y', /"refresh_token"/],
    ['https://app.example.com/cb?ERROR=1', /"error"/],
    ['https://app.example.com/cb?Return_To', /"return_to"/],
    ['https://app.example.com/cb?a%63cess_token=x', /"access_token"/],
    ['https://app.example.com/cb?a%2563cess_token=x', /"access_token"/],
    ['https://app.example.com/cb?x=1;code=2', /"code"/],
    ['https://app.example.com/cb?state[]=2', /"state"/],
    ['https://app.example.com/cb?state%5B0%5D=2', /"state"/],
    ['https://app.example.com/cb?access.token=x', /"access_token"/],
    ['https://app.example.com/cb?access+token=x', /"access_token"/],
    ['https://app.example.com/cb?return%5bto=x', /"return_to"/],
    ['https://app.example.com/cb?%20iss=x', /"iss"/],
    ['https://app.example.com/cb?token%3Dx', /"token"/],
    ['https://app.example.com/cb?%EF%BD%85rror=x', /"error"/],
    ['https://app.example.com/cb?x=%00', /control character/],
    ['https://app.example.com/cb?x=%', /%25/],
    // Length.
    [`https://app.example.com/${'a'.repeat(2_025)}`, /2049 characters/],
  ]
  for (const [raw, reason] of cases) {
    const read = readCallbackUrl(raw)
    assert.ok(!read.ok, `${JSON.stringify(raw)} was accepted`)
    assert.match(read.problem, reason, JSON.stringify(raw))
  }
})

// proves D2
test('a wildcard over a shared host is accepted with a warning', () => {
  for (const host of [
    '*.vercel.app',
    '*.github.io',
    '*.s3.amazonaws.com',
    '*.compute.amazonaws.com',
  ]) {
    const read = readCallbackUrl(`https://${host}/cb`)
    assert.ok(read.ok, host)
    assert.match(read.warning ?? '', /strangers/, host)
  }
})

test('a URL of exactly 2048 characters is accepted', () => {
  assert.ok(readCallbackUrl(`https://app.example.com/${'a'.repeat(2_024)}`).ok)
})

test('a callback list keeps its order and collects the warnings', () => {
  const read = readCallbackList([
    'https://*.vercel.app/cb',
    'https://b.example.com/cb',
    'https://a.example.com/cb',
  ])
  assert.ok(read.ok)
  assert.deepEqual(
    read.callbacks.map((callback) => callback.href),
    ['https://*.vercel.app/cb', 'https://b.example.com/cb', 'https://a.example.com/cb'],
  )
  assert.equal(read.warnings.length, 1)
})

test('a callback list reports all its problems by index', () => {
  const read = readCallbackList([
    'https://a.example.com/cb',
    'http://a.example.com/cb',
    'HTTPS://A.example.com:443/cb',
    'https://*.com/cb',
  ])
  assert.ok(!read.ok)
  assert.deepEqual(
    read.problems.map(({ index }) => index),
    [1, 2, 3],
  )
  assert.match(read.problems[1]?.problem ?? '', /same URL as entry 0/)
})

test('a callback list has from 1 to 50 URLs', () => {
  const many = Array.from({ length: 51 }, (_, index) => `https://app.example.com/cb${index}`)
  assert.ok(!readCallbackList([]).ok)
  assert.ok(readCallbackList(many.slice(0, 50)).ok)
  const tooMany = readCallbackList(many)
  assert.ok(!tooMany.ok)
  assert.deepEqual(
    tooMany.problems.map(({ index }) => index),
    [50],
  )
})

test('a login without redirect_uri ends at the first callback without a wildcard', () => {
  assert.equal(
    defaultCallback(
      registered(
        'https://*.example.com/cb',
        'https://b.example.com/cb',
        'https://a.example.com/cb',
      ),
    ),
    'https://b.example.com/cb',
  )
  assert.equal(defaultCallback(registered('http://localhost/cb')), 'http://localhost/cb')
  assert.equal(defaultCallback(registered('https://*.example.com/cb')), null)
  assert.equal(defaultCallback([]), null)
})

test('an unreadable stored callback URL throws', () => {
  for (const href of ['https://app.example.com@evil.test/cb', 'http://app.example.com/cb', '']) {
    assert.throws(() => callbackFromStored(href), /can no longer be read/, href)
  }
})
