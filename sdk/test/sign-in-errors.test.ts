import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LANGUAGE_TAGS } from '../../service/src/domain/language.ts'
import { createGate, type GatehouseOptions } from '../src/adapters/gate.ts'
import { type CallbackOptions, handleCallback, startLogin } from '../src/index.ts'
import { toRequest } from '../src/node.ts'
import {
  APP,
  applySetCookies,
  browserRequest,
  createFixture,
  type Fixture,
  tokenCookies,
} from './support/fixture.ts'
import { apiError, createScriptedClient, json, PAIR } from './support/scripted-client.ts'

// What a user sees after a failed sign-in, and where a sign-in returns to. In Chromium: workshop/interop/frameworks.test.ts.

const CODES = [
  ['access_denied', /You cancelled the sign-in, so nothing was shared/],
  ['login_failed', /failed, or this app doesn’t accept the account that you chose/],
  ['nonce_mismatch', /took too long, was already used, or was started in another browser/],
  ['invalid_tokens', /took too long/],
  ['missing_tokens', /took too long/],
  ['login_not_started', /took too long/],
  ['rate_limited', /Too many people are signing in/],
  ['tenant_paused', /Only its owner can change that/],
  ['tenant_suspended', /Only its owner can change that/],
  ['tenant_expired', /Only its owner can change that/],
  ['not_set_up', /Only its owner can change that/],
  ['unavailable', /isn’t available right now/],
] as const

/** The page of an error, as the gate or the handler of a callback shows it. */
async function openErrorPage(
  path: string,
  {
    headers = {},
    ...options
  }: Partial<CallbackOptions> & { headers?: Record<string, string> } = {},
): Promise<{ html: string; response: Response }> {
  const { client } = createScriptedClient([])
  const response = await handleCallback(browserRequest(path, {}, { headers }), {
    client,
    ...options,
  })
  return { html: await response.text(), response }
}

const linksOf = (html: string): string[] =>
  [...html.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href = '']) =>
    href.replaceAll('&#38;', '&'),
  )

test('without an errorPath, every failed sign-in shows its reason, a button to sign in again and a link to the app', async () => {
  for (const [code, message] of CODES) {
    const { html, response } = await openErrorPage(
      `/callback?sign_in_error=${code}&return_to=%2Fnotes%3Fpage%3D2`,
    )
    assert.equal(response.status, 200)
    assert.match(html, message, code)
    assert.match(html, /<h1>You’re not signed in<\/h1>/)
    assert.deepEqual(linksOf(html), ['/login?return_to=%2Fnotes%3Fpage%3D2', '/'], code)
  }
})

test('the URL of the page about a failed sign-in has neither a code nor a token, and its path is the callback', async () => {
  const code = `svc_ac_01234567_${'c'.repeat(43)}`
  const cases: readonly (readonly [query: string, Response, location: string])[] = [
    [
      'error=access_denied&return_to=/notes',
      json({}),
      '?sign_in_error=access_denied&return_to=%2Fnotes',
    ],
    ['error=login_failed', json({}), '?sign_in_error=login_failed'],
    ['error=%3Cscript%3E', json({}), '?sign_in_error=login_failed'],
    ['error=access_denied&return_to=//evil.example', json({}), '?sign_in_error=access_denied'],
    [`code=${code}`, apiError('invalidCode', 401), '?sign_in_error=invalid_tokens'],
    [`code=${code}`, apiError('tenantPaused', 403), '?sign_in_error=tenant_paused'],
    [
      `code=${code}&return_to=/notes`,
      apiError('rateLimited', 429),
      '?sign_in_error=rate_limited&return_to=%2Fnotes',
    ],
    ['code=x', json({}), '?sign_in_error=invalid_tokens'],
    ['access_token=a', json({}), '?sign_in_error=missing_tokens'],
  ]
  for (const [query, response, location] of cases) {
    const { client } = createScriptedClient([response])
    const cookies = { gh_login_01234567: 'v'.repeat(43) }
    const failed = await handleCallback(browserRequest(`/callback?${query}`, cookies), { client })
    assert.equal(failed.status, 303)
    assert.equal(failed.headers.get('location'), location, query)
    assert.match(
      failed.headers.getSetCookie().join(),
      /^gh_login_01234567=; .*Max-Age=0/,
      'the login is over',
    )
    const page = await handleCallback(browserRequest(new URL(location, `${APP}/callback`).href), {
      client,
    })
    assert.match(await page.text(), /You’re not signed in/)
  }
})

test('the page about a failed sign-in loads nothing, runs nothing, and is neither stored nor indexed', async () => {
  const { html, response } = await openErrorPage('/callback?sign_in_error=access_denied')
  const policy = response.headers.get('content-security-policy') ?? ''
  assert.match(
    policy,
    /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; img-src data:; .*frame-ancestors 'none'$/,
  )
  const style = /<style>(.*)<\/style>/s.exec(html)?.[1] ?? ''
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style))
  assert.ok(policy.includes(`sha256-${Buffer.from(digest).toString('base64')}`))
  assert.doesNotMatch(html, /<script|https?:|@import|url\(/)
  assert.equal(response.headers.get('cache-control'), 'no-store')
  assert.equal(response.headers.get('referrer-policy'), 'no-referrer')
  assert.equal(response.headers.get('x-robots-tag'), 'noindex')
  assert.match(html, /<meta name="robots" content="noindex">/)
  assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
})

test('no input appears on the page about a failed sign-in: an unknown code is a general message', async () => {
  for (const code of ['%3Cscript%3Ealert(1)%3C/script%3E', 'toString', '', 'access_denied%00']) {
    const { html } = await openErrorPage(`/callback?sign_in_error=${code}&x=%3Cb%3E`)
    assert.match(html, /failed, or this app doesn’t accept/, code)
    assert.doesNotMatch(html, /alert|toString|<b>/)
  }
  const hostile = encodeURIComponent(`/a"><img src=x onerror='1'>&b`)
  const { html } = await openErrorPage(
    `/callback?sign_in_error=access_denied&return_to=${hostile}`,
    {
      loginPath: '/log"in',
      startPath: `/st'art?a=1&b=2`,
    },
  )
  assert.doesNotMatch(html, /<img|onerror='/)
  assert.match(
    linksOf(html).join(' '),
    /^\/log%22in\?return_to=%2Fa%22%3E%3Cimg\S+ \/st&#39;art\?a=1&b=2$/,
  )
  const outside = await openErrorPage(
    '/callback?sign_in_error=access_denied&return_to=//evil.example',
  )
  assert.deepEqual(linksOf(outside.html), ['/login', '/'])
})

test('the page about a failed sign-in has the languages of the service, and the browser or the app chooses', async () => {
  const seen = new Set<string>()
  for (const tag of LANGUAGE_TAGS) {
    for (const [code] of CODES) {
      const { html } = await openErrorPage(`/callback?sign_in_error=${code}`, {
        headers: { 'Accept-Language': tag },
      })
      assert.match(html, new RegExp(`<html lang="${tag}" dir="${tag === 'ar' ? 'rtl' : 'ltr'}">`))
      assert.doesNotMatch(html, /undefined/)
      seen.add(/<p>(.*)<\/p>/.exec(html)?.[1] ?? '')
    }
  }
  assert.equal(seen.size, 6 * LANGUAGE_TAGS.length, 'six reasons in each language, no two alike')
  const languages: readonly (readonly [
    accepted: string,
    uiLocales: string | undefined,
    tag: string,
  ])[] = [
    ['de-CH,de;q=0.9,en;q=0.8', undefined, 'de'],
    ['en;q=0.5, fr;q=0.9', undefined, 'fr'],
    ['pt-PT', undefined, 'pt-BR'],
    ['zh-CN,zh;q=0.9', undefined, 'zh-Hans'],
    ['fr;q=0, es', undefined, 'es'],
    ['fr;q=0', undefined, 'en'],
    ['xx, *', undefined, 'en'],
    ['-', undefined, 'en'],
    ['', undefined, 'en'],
    ['de', 'it-CH fr', 'it'],
    ['de', 'xx', 'de'],
  ]
  for (const [accepted, uiLocales, tag] of languages) {
    const { html } = await openErrorPage('/callback?sign_in_error=access_denied', {
      headers: { 'Accept-Language': accepted },
      ...(uiLocales === undefined ? {} : { uiLocales }),
    })
    assert.equal(/<html lang="([^"]+)"/.exec(html)?.[1], tag, `${accepted} ${uiLocales}`)
  }
})

test('HEAD of the page about a failed sign-in has no body; HEAD and POST of a callback use up nothing', async () => {
  const { client, sent } = createScriptedClient([])
  const head = (path: string, method = 'HEAD'): Promise<Response> =>
    handleCallback(browserRequest(path, { gh_login_01234567: 'v'.repeat(43) }, { method }), {
      client,
    })
  const page = await head('/callback?sign_in_error=access_denied')
  assert.deepEqual([page.status, await page.text()], [200, ''])
  for (const [path, method] of [
    [`/callback?code=svc_ac_01234567_${'c'.repeat(43)}`, 'HEAD'],
    ['/callback?error=access_denied', 'HEAD'],
    ['/callback?error=access_denied', 'POST'],
    ['/callback?sign_in_error=access_denied', 'POST'],
  ] as const) {
    const refused = await head(path, method)
    assert.deepEqual([refused.status, refused.headers.get('allow')], [405, 'GET'])
    assert.deepEqual(refused.headers.getSetCookie(), [])
  }
  assert.deepEqual(sent, [])
})

test('a signed-in user who cancels a second sign-in continues in the app', async (t) => {
  const { client, signIn } = await createFixture(t)
  const cookies = tokenCookies(await signIn())
  const request = browserRequest('/callback?sign_in_error=access_denied&return_to=/notes', cookies)
  assert.equal((await handleCallback(request, { client })).headers.get('location'), '/notes')
})

const USER = { id: 1, email: 'ada@example.com', name: 'Ada', picture: null }
const NEW_COOKIES = ['gh_access=access-2', 'gh_refresh=refresh-2']

test('a user who cancels while the access token has expired continues, and the session is refreshed', async () => {
  for (const cookies of [{ gh_refresh: 'r' }, { gh_access: 'a', gh_refresh: 'r' }]) {
    const expired = 'gh_access' in cookies ? [json({ valid: false })] : []
    const { client } = createScriptedClient([
      ...expired,
      json(PAIR),
      json({ valid: true, user: USER }),
    ])
    const request = browserRequest(
      '/callback?sign_in_error=access_denied&return_to=/notes',
      cookies,
    )
    const { headers } = await handleCallback(request, { client })
    assert.equal(headers.get('location'), '/notes')
    const lines = headers.getSetCookie().map((line) => line.split(';')[0])
    assert.deepEqual(lines, NEW_COOKIES)
  }
})

test('a callback that is reloaded after an hour continues, and the session is refreshed', async () => {
  const { client } = createScriptedClient([json(PAIR), json({ valid: true, user: USER })])
  const code = `svc_ac_abcdefgh_${'c'.repeat(43)}`
  const request = browserRequest(`/callback?code=${code}&return_to=/notes`, { gh_refresh: 'r' })
  const { headers } = await handleCallback(request, { client, errorPath: '/failed' })
  assert.equal(headers.get('location'), '/notes')
  assert.equal(headers.getSetCookie().length, 2)
})

test('a user who cancels continues while another process refreshes the session, and sees the page if it has ended', async () => {
  const open = (response: Response): Promise<Response> => {
    const { client } = createScriptedClient([response])
    const request = browserRequest('/callback?sign_in_error=access_denied', { gh_refresh: 'r' })
    return handleCallback(request, { client, home: '/notes' })
  }
  const superseded = await open(apiError('refreshTokenSuperseded', 409))
  assert.equal(superseded.headers.get('location'), '/notes')
  assert.deepEqual(superseded.headers.getSetCookie(), [])
  const ended = await open(apiError('invalidRefreshToken', 401))
  assert.match(await ended.text(), /You cancelled the sign-in/)
  assert.match(ended.headers.getSetCookie().join(), /^gh_refresh=; .*Max-Age=0/)
  const paused = await open(apiError('tenantPaused', 403))
  assert.match(await paused.text(), /You cancelled the sign-in/)
  assert.deepEqual(paused.headers.getSetCookie(), [], 'the session may be alive')
})

test('a cancelled sign-in removes its cookie; with logins in other tabs, theirs stay', async () => {
  const { client } = createScriptedClient([])
  const first = (await startLogin(browserRequest('/login'), { client })).headers.getSetCookie()
  const second = (await startLogin(browserRequest('/login'), { client })).headers.getSetCookie()
  const cancelled = async (
    cookies: Readonly<Record<string, string>>,
  ): Promise<Readonly<Record<string, string>>> => {
    const response = await handleCallback(
      browserRequest('/callback?error=access_denied', cookies),
      { client },
    )
    return applySetCookies(response.headers.getSetCookie(), cookies)
  }
  assert.deepEqual(await cancelled(applySetCookies(first)), {})
  const both = applySetCookies([...first, ...second])
  assert.deepEqual(await cancelled(both), both)
})

test('an errorPath that signed-out users cannot open is an error at the start of the app', () => {
  const { client } = createScriptedClient([])
  const start = (options: Partial<GatehouseOptions>): unknown =>
    createGate({ client, protect: ['/notes'], ...options })
  for (const errorPath of [
    '/notes',
    '/notes/failed',
    '/notes?x=1',
    '/notes#x',
    '/login',
    '/auth/callback?x',
    '/logout',
  ]) {
    assert.throws(
      () => start({ errorPath }),
      /errorPath is \/\S+, which signed-out users can't open/,
      errorPath,
    )
  }
  assert.throws(() => start({ errorPath: '/failed', protect: ['/'] }), /errorPath is \/failed/)
  assert.throws(() => start({ errorPath: '/in', paths: { login: '/in' } }), /errorPath is \/in/)
  for (const errorPath of ['/', '/notes-failed', '/failed?reason=x']) {
    start({ errorPath })
  }
})

test('the adapters show the page with their own login path, and a link only to a page for signed-out users', async () => {
  const cases: readonly (readonly [Partial<GatehouseOptions>, links: string[]])[] = [
    [{ home: '/notes', protect: ['/notes'] }, ['/login', '/']],
    [{ afterLogout: '/bye?x=1', protect: ['/notes'] }, ['/login', '/bye?x=1']],
    [{ afterLogout: '/notes/bye', protect: ['/notes'] }, ['/login', '/']],
    [{ protect: ['/'] }, ['/login']],
    [{ paths: { login: '/sign-in', callback: '/cb' } }, ['/sign-in', '/']],
  ]
  for (const [options, links] of cases) {
    const { client } = createScriptedClient([])
    const callback = options.paths?.callback ?? '/auth/callback'
    const { response } = await createGate({ client, ...options }).pass(
      browserRequest(`${callback}?sign_in_error=access_denied`),
    )
    assert.deepEqual(linksOf((await response?.text()) ?? ''), links)
  }
})

const PRODUCTION = 'https://shop.example'
const LOCAL = 'http://localhost:3000'

/** A login that starts at this page. Returns the callback URL, or the page of the service. */
async function signInAt(
  { service }: Fixture,
  gate: ReturnType<typeof createGate>,
  page: Request,
): Promise<string> {
  service.clock.advance({ minutes: 1 })
  const { response } = await gate.pass(page)
  const browser = service.browser()
  await browser.open(response?.headers.get('location') ?? '')
  if (!browser.page.text.includes('Ada Lovelace')) {
    return browser.page.text
  }
  await browser.press('Ada Lovelace')
  const { origin, pathname, searchParams } = await browser.press('Continue')
  return `${origin}${pathname} ${[...searchParams.keys()]}`
}

test('with callbacks for production and localhost, in either order, each login returns to where it began', async (t) => {
  const fixture = await createFixture(t)
  const callbacks = [PRODUCTION, LOCAL].map((origin) => `${origin}/auth/callback`)
  const gate = createGate({ client: fixture.client, protect: ['/notes'] })
  // A proxy ends TLS and forwards plain http with the Host header of the browser.
  const behindProxy = 'http://shop.example'
  for (const registered of [callbacks, callbacks.toReversed()]) {
    await fixture.tenant.provision(registered)
    for (const [at, expected] of [
      [LOCAL, LOCAL],
      [PRODUCTION, PRODUCTION],
      [behindProxy, PRODUCTION],
    ] as const) {
      for (const path of ['/notes', '/login?return_to=/notes']) {
        const ended = await signInAt(fixture, gate, new Request(at + path))
        assert.equal(
          ended,
          `${expected}/auth/callback code,return_to`,
          `${at}${path}, ${registered}`,
        )
      }
    }
  }
})

test('a login at an address without a registered callback ends at a page that names the address and the closest callback', async (t) => {
  const fixture = await createFixture(t, { app: LOCAL, callback: '/auth/callback' })
  const gate = createGate({ client: fixture.client, protect: ['/notes'] })
  const page = await signInAt(fixture, gate, new Request('https://other.example/notes'))
  assert.match(page, /https:\/\/other\.example\/auth\/callback is not a registered callback URL/)
  assert.match(page, /The closest is http:\/\/localhost:3000\/auth\/callback/)
  const numbered = await signInAt(fixture, gate, new Request('http://127.0.0.1:3000/notes'))
  assert.match(
    numbered,
    /127\.0\.0\.1 and localhost are two sites for a browser: open your app at localhost/,
  )
  assert.deepEqual(await fixture.tenant.eventKinds(), [])
})

test("the client's redirectUri and that of startLogin win over the address of the request", async () => {
  const redirectUri = `${PRODUCTION}/auth/callback`
  const { client } = createScriptedClient([], { redirectUri })
  const target = (response: Response | null): string | null =>
    new URL(response?.headers.get('location') ?? '').searchParams.get('redirect_uri')
  const gate = createGate({ client, protect: ['/notes'] })
  assert.equal(target((await gate.pass(browserRequest('/notes'))).response), redirectUri)
  assert.equal(target((await gate.pass(browserRequest('/login'))).response), redirectUri)
  const options = {
    client,
    callbackPath: '/auth/callback',
    redirectUri: 'https://third.example/cb',
  }
  assert.equal(
    target(await startLogin(browserRequest('/login'), options)),
    'https://third.example/cb',
  )
  const plain = createScriptedClient([]).client
  assert.equal(
    target(await startLogin(browserRequest('/login'), { client: plain })),
    null,
    'the first registered',
  )
})

test('X-Forwarded-Host counts only if the framework trusts the proxy that sent it', () => {
  const headers = { host: 'app:3000', 'x-forwarded-host': 'app.example:8443, inner.example' }
  assert.equal(toRequest({ url: '/notes', headers }).url, 'http://app:3000/notes')
  assert.equal(toRequest({ url: '/notes', headers, hostname: 'app' }).url, 'http://app:3000/notes')
  assert.equal(
    toRequest({ url: '/notes', headers, hostname: 'app.example' }).url,
    'http://app.example:8443/notes',
  )
})

test('a direct login link ends in a login of this browser, once, also in a browser that rejects cookies', async (t) => {
  for (const flow of ['code', 'tokens'] as const) {
    const fixture = await createFixture(t, { callback: '/auth/callback' })
    const gate = createGate({ client: fixture.client, flow, home: '/notes', protect: ['/notes'] })
    for (const keepsCookies of [true, false]) {
      fixture.service.clock.advance({ minutes: 1 })
      const browser = fixture.service.browser()
      await browser.open(fixture.tenant.loginUrl)
      await browser.press('Ada Lovelace')
      const { response } = await gate.pass(new Request(await browser.press('Continue')))
      const restarted = response?.headers.get('location') ?? ''
      assert.ok(restarted.startsWith(`${fixture.tenant.loginUrl}?`), restarted)
      assert.doesNotMatch(response?.headers.getSetCookie().join() ?? '', /gh_access|gh_refresh/)
      const cookies = keepsCookies ? applySetCookies(response?.headers.getSetCookie() ?? []) : {}

      fixture.service.clock.advance({ minutes: 1 })
      await browser.open(restarted)
      await browser.press('Ada Lovelace')
      const second = await gate.pass(
        browserRequest((await browser.press('Continue')).href, cookies),
      )
      const location = second.response?.headers.get('location')
      assert.equal(
        location,
        keepsCookies ? '/notes' : '?sign_in_error=nonce_mismatch&return_to=%2Fnotes',
      )
    }
  }
})
