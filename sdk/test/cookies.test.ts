import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ACCESS_TOKEN_COOKIE,
  type CookieOptions,
  createClient,
  parseCookies,
  REFRESH_TOKEN_COOKIE,
  serializeCookie,
} from '../src/index.ts'

const PAIR = { accessToken: 'eyJ.a-b_c.d', refreshToken: 'svc_rt_abc' }

const cookies = (options: CookieOptions = {}) =>
  createClient({ baseUrl: 'https://x.example', tenantId: 'a-b', cookies: options }).cookies

test('token cookies are HttpOnly, Secure, SameSite=Lax, Path=/, for one hour and 30 days', () => {
  const common = { httpOnly: true, secure: true, sameSite: 'lax', path: '/' }
  assert.deepEqual(ACCESS_TOKEN_COOKIE, { ...common, maxAge: 3_600 })
  assert.deepEqual(REFRESH_TOKEN_COOKIE, { ...common, maxAge: 2_592_000 })
  assert.deepEqual(cookies().store({ url: 'https://app.example/' }, PAIR), [
    'gh_access=eyJ.a-b_c.d; Path=/; Max-Age=3600; HttpOnly; Secure; SameSite=Lax',
    'gh_refresh=svc_rt_abc; Path=/; Max-Age=2592000; HttpOnly; Secure; SameSite=Lax',
  ])
})

test('Secure is omitted only for plain http on localhost', () => {
  const proxied = { headers: new Headers({ 'X-Forwarded-Proto': 'https' }) }
  const cases: readonly (readonly [{ url?: string; headers?: Headers }, boolean])[] = [
    [{ url: 'http://localhost:3000/x' }, false],
    [{ url: 'http://127.0.0.1/' }, false],
    [{ url: 'http://[::1]:3000/' }, false],
    [{ url: 'https://localhost:3000/' }, true],
    [{ url: 'http://localhost:3000/', ...proxied }, true],
    [{ url: 'http://app.internal/' }, true],
    [{ url: 'http://localhost.evil.example/' }, true],
    [{ url: 'http://localhost@evil.example/' }, true],
    [{ url: 'not an address' }, true],
    [{}, true],
  ]
  for (const [request, secure] of cases) {
    const [line = ''] = cookies().store(request, PAIR)
    assert.equal(line.includes('; Secure'), secure, JSON.stringify(request))
    assert.equal(
      cookies({ hostPrefix: true }).names(request).access,
      secure ? '__Host-gh_access' : 'gh_a-b_access',
    )
  }
  const [forced = ''] = cookies({ secure: false }).store({ url: 'https://app.example' }, PAIR)
  assert.doesNotMatch(forced, /Secure/)
})

test('a page that knows only its headers finds the cookies that the callback set, with hostPrefix on localhost too', () => {
  const prefixed = cookies({ hostPrefix: true })
  for (const [url, headers] of [
    ['http://localhost:3000/callback', { Host: 'localhost:3000', 'X-Forwarded-Proto': 'http' }],
    ['http://127.0.0.1:3000/callback', { Host: '127.0.0.1:3000' }],
    ['https://app.example/callback', { Host: 'app.example' }],
    ['http://localhost:3000/callback', { Host: 'localhost:3000', 'X-Forwarded-Proto': 'https' }],
  ] as const) {
    const callback = { url, headers: new Headers(headers) }
    const cookie = prefixed.store(callback, PAIR).map((line) => line.split(';')[0])
    const page = { headers: new Headers({ ...headers, Cookie: cookie.join('; ') }) }
    assert.equal(prefixed.read(page).accessToken, PAIR.accessToken, JSON.stringify(headers))
  }
})

test('two apps on localhost have cookies of their own, on any port: neither reads or removes those of the other', () => {
  const of = (tenantId: string, options: CookieOptions = {}) =>
    createClient({ baseUrl: 'https://x.example', tenantId, cookies: options }).cookies
  const [first, second] = [of('a-b'), of('a-c')]
  const jar = [...first.store({ url: 'http://localhost:3000/' }, PAIR), 'gh_access=x'].map(
    (line) => line.split(';')[0],
  )
  const request = {
    url: 'http://localhost:5173/',
    headers: new Headers({ Cookie: jar.join('; ') }),
  }
  assert.deepEqual(second.read(request), { accessToken: null, refreshToken: null, bind: null })
  assert.deepEqual(second.clear(request), [])
  assert.equal(first.read(request).accessToken, PAIR.accessToken)
  assert.equal(first.clear(request).length, 2)
  assert.equal(first.name(request, 'gh_login_x'), 'gh_a-b_login_x')
  assert.equal(
    of('a-b', { accessName: 'mine' }).names(request).access,
    'mine',
    'a name of your own is not changed',
  )
  assert.equal(first.names({ url: 'https://app.example/' }).access, 'gh_access')
})

test('with hostPrefix only __Host- cookies are read, written and removed', () => {
  const prefixed = cookies({ hostPrefix: true, accessName: 'a', refreshName: 'r' })
  const headers = new Headers({ Cookie: 'a=injected; __Host-a=access; __Host-r=refresh' })
  const request = { url: 'https://app.example/', headers }
  assert.deepEqual(prefixed.read(request), {
    accessToken: 'access',
    refreshToken: 'refresh',
    bind: null,
  })
  assert.match(prefixed.store(request, PAIR)[0] ?? '', /^__Host-a=[^;]+; Path=\/; .*Secure/)
  assert.deepEqual(
    prefixed.clear(request).map((line) => line.split(';')[0]),
    ['__Host-a=', '__Host-r='],
  )
})

test('header injection: serializeCookie rejects names, values and paths outside the cookie grammar', () => {
  const invalid = [
    'a;b',
    'a\r\nSet-Cookie: x=1',
    'a\nb',
    'a,b',
    'a"b',
    'a b',
    'a\\b',
    'é',
    '\u0000',
  ]
  for (const value of invalid) {
    assert.throws(() => serializeCookie('n', value, ACCESS_TOKEN_COOKIE), TypeError, value)
  }
  for (const name of ['', 'a b', 'a=b', 'a;b', 'a\n', 'é']) {
    assert.throws(() => serializeCookie(name, 'v', ACCESS_TOKEN_COOKIE), TypeError, name)
  }
  for (const path of ['', 'x', '/;Domain=evil.example', '/\r\nX: 1']) {
    assert.throws(
      () => serializeCookie('n', 'v', { ...ACCESS_TOKEN_COOKIE, path }),
      TypeError,
      path,
    )
  }
  assert.throws(
    () => serializeCookie('n', 'v', { ...ACCESS_TOKEN_COOKIE, maxAge: Number.NaN }),
    TypeError,
  )
  assert.throws(
    () => serializeCookie('n', 'v'.repeat(4_096), ACCESS_TOKEN_COOKIE),
    /longer than browsers keep/,
  )
  assert.throws(() => cookies({ accessName: 'a;b' }).store({}, PAIR), TypeError)
})

test('parseCookies reads any Cookie header', () => {
  const read = (header: string | null | undefined) => Object.fromEntries(parseCookies(header))
  assert.deepEqual(read(null), {})
  assert.deepEqual(read(''), {})
  assert.deepEqual(read('a=1; b=2;c=3 ; d'), { a: '1', b: '2', c: '3' })
  assert.deepEqual(read('a=first; a=second'), { a: 'first' })
  assert.deepEqual(read('a=b=c; =x; e='), { a: 'b=c', e: '' })
  assert.equal(parseCookies('__proto__=x').get('__proto__'), 'x')
})
