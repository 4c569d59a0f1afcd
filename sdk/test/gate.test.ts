import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { LANGUAGE_TAGS } from '../../service/src/domain/language.ts'
import { withAdditions } from '../src/adapters/additions.ts'
import { unavailableAnswer } from '../src/adapters/answers.ts'
import { createGate, type GatehouseOptions } from '../src/adapters/gate.ts'
import { type Client, type GatehouseError, isNavigation, UnavailableError } from '../src/index.ts'
import { applySetCookies, browserRequest, createFixture, tokenCookies } from './support/fixture.ts'
import { apiError, createScriptedClient, json } from './support/scripted-client.ts'

const USER = { id: 1, email: 'ada@example.com', name: 'Ada', picture: null }
const SESSION = { gh_access: 'a', gh_refresh: 'r' }
const NAVIGATION = { 'Sec-Fetch-Mode': 'navigate', Accept: 'text/html' }
const FETCH = { 'Sec-Fetch-Mode': 'cors', Accept: '*/*' }
const JSON_FETCH = { Accept: 'application/json' }

test('a guarded fetch gets 401 JSON with the login path, and a navigation gets the login', async () => {
  const { client, sent } = createScriptedClient([])
  const gate = createGate({ client, protect: ['/notes'] })
  for (const headers of [FETCH, JSON_FETCH, { 'X-Requested-With': 'XMLHttpRequest' }]) {
    const { response } = await gate.pass(browserRequest('/notes/7', {}, { headers }))
    assert.equal(response?.status, 401)
    assert.equal(response?.headers.get('location'), null)
    assert.match((await response?.text()) ?? '', /"login":"\/login"/)
  }
  for (const headers of [NAVIGATION, {}, { Accept: '*/*' }]) {
    const { response } = await gate.pass(browserRequest('/notes/7?x=1', {}, { headers }))
    assert.equal(response?.status, 303)
    const location = new URL(response?.headers.get('location') ?? '')
    assert.equal(location.origin, 'https://login.example.com')
    assert.equal(location.searchParams.get('return_to'), '/notes/7?x=1')
    assert.equal(location.searchParams.get('response_type'), 'code')
  }
  const { response } = await gate.pass(browserRequest('/notes', {}), {
    path: '/notes',
    kind: 'data',
  })
  assert.equal(
    response?.headers.get('location'),
    '/login?return_to=%2Fnotes',
    "for the framework's own script",
  )
  assert.equal(isNavigation(browserRequest('/')), true)
  assert.deepEqual(sent, [], 'no request to the service')
})

test('a path is protected with everything below it, and nothing else is', async () => {
  const { client } = createScriptedClient([])
  const gate = createGate({ client, protect: ['/notes', '/a/'] })
  for (const path of ['/notes', '/notes/', '/notes/7', '/a/', '/a/b']) {
    assert.equal((await gate.pass(browserRequest(path))).response?.status, 303, path)
  }
  for (const path of ['/', '/notes-public', '/about', '/b/notes']) {
    assert.equal((await gate.pass(browserRequest(path))).response, null, path)
  }
})

test('an entry of protect that would match no path throws and names the prefix to use', () => {
  const { client } = createScriptedClient([])
  for (const [entry, prefix] of [
    ['notes', '/notes'],
    ['', '/'],
    ['/notes/*', '/notes'],
    ['/notes/**', '/notes'],
    ['/notes*', '/notes'],
    ['/notes/:path*', '/notes'],
    ['/notes/(.*)', '/notes'],
    ['^/notes$', '/notes'],
    ['/orders/[id]/lines', '/orders'],
    ['/(app)/notes', '/notes'],
    ['/notes?page=1', '/notes'],
    ['/notes#top', '/notes'],
    ['https://app.example/notes', '/notes'],
  ] as const) {
    assert.throws(
      () => createGate({ client, protect: ['/a', entry] }),
      ({ name, message }: Error) =>
        name === 'TypeError' &&
        message.startsWith(`protect has "${entry}"`) &&
        message.endsWith(`Use "${prefix}".`),
    )
  }
})

test('an entry of protect counts in every spelling', async () => {
  const { client } = createScriptedClient([])
  for (const [entry, path] of [
    ['/my%20notes', '/%6dy%20notes'],
    ['/%C3%9Cber', '/%C3%BCber/7'],
    ['//notes', '/notes'],
    ['/x/../notes/', '/notes'],
    ['/', '/about'],
  ] as const) {
    const { response } = await createGate({ client, protect: [entry] }).pass(browserRequest(path))
    assert.equal(response?.status, 303, entry)
  }
})

// Express ignores the case; Hono, Fastify, SvelteKit and Next.js decode a path before they choose its route.
test('a protected path is protected in every spelling that a framework takes for it', async () => {
  const { client } = createScriptedClient([])
  const gate = createGate({ client, protect: ['/notes', '/Über'] })
  const spellings = [
    '/Notes',
    '/NOTES/',
    '/%6eotes',
    '/%4E%4FTES/7',
    '/%256eotes',
    '//notes',
    '/%2Fnotes',
    '/x/..%2fnotes',
  ]
  for (const path of [
    ...spellings,
    '/\\notes',
    '/.//notes',
    '/notes/%2e%2e%2fabout',
    '/%c3%bcber',
    '/%ff/..%2fnotes',
  ]) {
    const answered = await gate.pass(browserRequest('/'), { path })
    assert.equal(answered.response?.status, 303, path)
  }
  for (const path of ['/%ff', '/about%2fnotes', '/note%73-public', '/notesX']) {
    assert.equal((await gate.pass(browserRequest('/'), { path })).response, null, path)
  }
})

test('a trailing slash leads to login, callback, logout and session, as frameworks that add one send them', async () => {
  for (const callback of ['/auth/callback', '/auth/callback/']) {
    const { client, sent } = createScriptedClient([json({ success: true })])
    const gate = createGate({ client, protect: ['/'], paths: { callback } })
    const open = async (path: string, init: RequestInit = {}, cookies = {}): Promise<Response> =>
      (await gate.pass(browserRequest(path, cookies, init))).response ?? assert.fail(path)

    const login = await open('/login/?return_to=/notes')
    const location = new URL(login.headers.get('location') ?? '')
    assert.equal(location.searchParams.get('return_to'), '/notes')
    assert.equal(location.searchParams.get('redirect_uri'), `https://app.example${callback}`)

    const started = await open('/auth/callback/?access_token=a&refresh_token=r')
    const again = new URL(started.headers.get('location') ?? '').searchParams.get('redirect_uri')
    assert.equal(
      again,
      `https://app.example${callback}`,
      'a login that this browser did not start begins anew',
    )
    const cancelled = await open('/auth/callback/?error=access_denied')
    assert.equal(cancelled.headers.get('location'), '?sign_in_error=access_denied')

    const session = await open('/auth/session/', { headers: FETCH })
    assert.deepEqual(await session.json(), { status: 'signedOut', user: null })
    const logout = await open('/logout/', { method: 'POST' }, SESSION)
    assert.equal(logout.headers.get('location'), '/')
    assert.equal(sent.length, 1, 'the session is ended')
  }
  const { client } = createScriptedClient([])
  assert.throws(() => createGate({ client, errorPath: '/login/' }), /is in protect or in paths/)
  assert.equal((await createGate({ client }).pass(browserRequest('/login//'))).response, null)
})

const FOREIGN = [
  { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' },
  { 'Sec-Fetch-Site': 'same-site', Origin: 'https://other.app.example' },
  { Origin: 'https://evil.example' },
  { Origin: 'http://localhost:4000' },
  { Origin: 'null' },
]

test('a POST of a page of another origin does not act for the signed-in user, and signs them out neither', async () => {
  for (const headers of FOREIGN) {
    const { client, sent } = createScriptedClient([json({ valid: true, user: USER })])
    const gate = createGate({ client, protect: ['/notes'] })
    const post = await gate.pass(browserRequest('/notes', SESSION, { method: 'POST', headers }))
    assert.equal(post.response?.status, 403, JSON.stringify(headers))
    assert.match((await post.response?.text()) ?? '', /trustedOrigins/)
    const logout = await gate.pass(browserRequest('/logout', SESSION, { method: 'POST', headers }))
    assert.equal(logout.response?.status, 403)
    assert.deepEqual(logout.response?.headers.getSetCookie(), [])
    assert.equal(sent.length, 1, 'only the session was verified')
  }
})

test('a refused POST of another origin refreshes no session: the expired pair still opens the next page of the app', async (t) => {
  const { client, tenant, signIn, expireAccessTokens } = await createFixture(t)
  const gate = createGate({ client, protect: ['/notes'] })
  const cookies = tokenCookies(await signIn())
  expireAccessTokens()
  for (const headers of FOREIGN) {
    const { response } = await gate.pass(
      browserRequest('/notes', cookies, { method: 'POST', headers }),
    )
    assert.equal(response?.status, 403, JSON.stringify(headers))
    assert.deepEqual(response?.headers.getSetCookie(), [])
  }
  assert.deepEqual(
    await tenant.eventKinds(),
    ['login_started', 'authorize'],
    'the refresh token is not spent',
  )
  const own = await gate.pass(browserRequest('/notes', cookies))
  assert.equal(own.response === null && own.session.user?.email, 'ada@example.com')
})

test('a POST of the app itself, of a trusted origin, of a program or of a stranger reaches the app', async () => {
  const signedIn = () => {
    const { client } = createScriptedClient([json({ valid: true, user: USER })])
    return createGate({ client, trustedOrigins: ['https://admin.example'] })
  }
  for (const headers of [
    { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://app.example' },
    { Origin: 'https://app.example' },
    { Origin: 'https://public.example', Host: 'public.example' },
    { Origin: 'https://public.example', 'X-Forwarded-Host': 'public.example, inner' },
    { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://admin.example' },
    {},
  ]) {
    const { response } = await signedIn().pass(
      browserRequest('/notes', SESSION, { method: 'POST', headers }),
    )
    assert.equal(response, null, JSON.stringify(headers))
  }
  for (const headers of FOREIGN) {
    const stranger = await signedIn().pass(
      browserRequest('/contact', {}, { method: 'POST', headers }),
    )
    assert.equal(stranger.response, null, 'has no session')
    const link = await signedIn().pass(browserRequest('/notes', SESSION, { headers }))
    assert.equal(link.response, null, 'a link from another site')
  }
})

test('the preflight of a trusted origin on a protected path is answered, and never reaches the app without a user', async () => {
  const { client, sent } = createScriptedClient([])
  const gate = createGate({ client, protect: ['/api'], trustedOrigins: ['https://admin.example'] })
  const preflight = (path: string, origin: string, more: Record<string, string> = {}) => {
    const headers = {
      Origin: origin,
      'Sec-Fetch-Mode': 'cors',
      'Access-Control-Request-Method': 'DELETE',
      ...more,
    }
    return gate.pass(browserRequest(path, {}, { method: 'OPTIONS', headers }))
  }
  const asked = { 'Access-Control-Request-Headers': 'content-type,x-mine' }
  const { response } = await preflight('/api/notes/7', 'https://admin.example', asked)
  assert.deepEqual(
    [response?.status, ...(response?.headers ?? [])],
    [
      204,
      ['access-control-allow-credentials', 'true'],
      ['access-control-allow-headers', 'content-type,x-mine'],
      ['access-control-allow-methods', 'DELETE'],
      ['access-control-allow-origin', 'https://admin.example'],
      ['cache-control', 'no-store'],
    ],
  )
  const bare = await preflight('/api/notes/7', 'https://admin.example')
  assert.equal(bare.response?.headers.has('access-control-allow-headers'), false)
  assert.equal((await preflight('/api/notes/7', 'https://evil.example')).response?.status, 401)
  const options = browserRequest(
    '/api/notes',
    {},
    { method: 'OPTIONS', headers: { Origin: 'https://admin.example' } },
  )
  assert.equal(
    (await gate.pass(options, { kind: 'script' })).response?.status,
    401,
    'not a preflight',
  )
  const open = await preflight('/public', 'https://admin.example')
  assert.equal(open.response, null, 'the app answers elsewhere')
  assert.deepEqual(sent, [])
})

test('an outage is 503 for pages and scripts, never signed out, and the cookies stay', async () => {
  for (const error of [
    new TypeError('fetch failed'),
    apiError('temporarilyUnavailable', 503, { 'Retry-After': '7' }),
    apiError('tenantPaused', 403),
    apiError('rateLimited', 429, { 'Retry-After': '7' }),
  ]) {
    for (const headers of [NAVIGATION, FETCH]) {
      const again = (): Response | Error => (error instanceof Response ? error.clone() : error)
      const { client } = createScriptedClient([json({ valid: true, user: USER }), again(), again()])
      const errors: GatehouseError[] = []
      const gate = createGate({ client, protect: ['/notes'], onError: (each) => errors.push(each) })
      await gate.pass(browserRequest('/notes', SESSION))
      const { response } = await gate.pass(browserRequest('/notes', SESSION, { headers }))
      assert.equal(response?.status, 503)
      assert.deepEqual(response?.headers.getSetCookie(), [])
      assert.match((await response?.text()) ?? '', /still signed in/)
      if (errors[0]?.code === 'rateLimited') {
        assert.equal(response?.headers.get('retry-after'), '7')
      }
      assert.equal(errors.length, 1)
    }
  }
})

/** What the app writes to its log during a test. */
function logOf(t: TestContext): string[] {
  const lines: string[] = []
  t.mock.method(console, 'error', (line: string) => lines.push(line))
  return lines
}

const SERVICE = 'https://login.example.com'
for (const [settings, tenantId, error, says, at] of [
  [
    'a wrong tenant id',
    'wrong-fox-k3qd',
    apiError('tenantNotFound', 404),
    /It is tenantNotFound\./,
    SERVICE,
  ],
  [
    'an expired guest',
    'old-fox-k3qd',
    apiError('tenantExpired', 410),
    /It is tenantExpired\./,
    SERVICE,
  ],
  [
    'no social login',
    'new-fox-k3qd',
    apiError('notProvisioned', 404),
    /It is notProvisioned\./,
    SERVICE,
  ],
  [
    'a base URL of another site',
    'other-fox-k3qd',
    new Response('', { status: 404 }),
    /404/,
    '<your service>',
  ],
  [
    'a base URL without a server',
    'no-fox-k3qd',
    new TypeError(),
    /could not be reached/,
    '<your service>',
  ],
] as const) {
  test(`${settings} is said once in the log of the app, and no page claims that the user is signed in`, async (t) => {
    const log = logOf(t)
    const again = (): Response | Error => (error instanceof Response ? error.clone() : error)
    const responses = Array.from({ length: 8 }, again)
    for (const headers of [NAVIGATION, FETCH]) {
      // A worker creates a client for each request.
      const { client } = createScriptedClient(responses.splice(0, 4), { tenantId })
      const gate = createGate({ client, protect: ['/notes'] })
      for (let request = 0; request < 2; request++) {
        const { response } = await gate.pass(browserRequest('/notes', SESSION, { headers }))
        assert.equal(response?.status, 503)
        assert.deepEqual(response?.headers.getSetCookie(), [])
        const text = (await response?.text()) ?? ''
        assert.match(
          text,
          headers === FETCH
            ? /The sign-in service cannot be reached/
            : /Sign-in isn’t available right now/,
        )
        assert.doesNotMatch(text, /signed in/)
      }
    }
    assert.equal(log.length, 1, log.join('\n'))
    const [line = ''] = log
    assert.match(line, says)
    assert.ok(
      line.includes(`${SERVICE} (base_url, GATEHOUSE_URL) and ${tenantId} (tenant_id,`),
      line,
    )
    assert.ok(
      line.endsWith(
        `, run: npx --@gatehouse-auth:registry=${at}/packages/npm/ @gatehouse-auth/local doctor`,
      ),
      line,
    )
  })
}

const EXCHANGE = `/auth/callback?code=svc_ac_01234567_${'a'.repeat(43)}`
const STARTED = { gh_login_01234567: 'v'.repeat(43) }
const unreachable = (): Promise<Response> => Promise.reject(new TypeError('fetch failed'))
for (const [settings, tenantId, fetch, code, says] of [
  [
    'a wrong tenant id',
    'a-fox-k3qd',
    async () => apiError('tenantNotFound', 404),
    'not_set_up',
    /It is tenantNotFound/,
  ],
  ['a base URL without a server', 'b-fox-k3qd', unreachable, 'unavailable', /could not be reached/],
] as const) {
  test(`${settings} is logged by the app when no code can be exchanged, or to its onError, once`, async (t) => {
    const log = logOf(t)
    const signIn = async (options: GatehouseOptions): Promise<void> => {
      const gate = createGate({
        client: createScriptedClient([], { tenantId, fetch }).client,
        ...options,
      })
      const { response } = await gate.pass(browserRequest(EXCHANGE, STARTED))
      assert.equal(response?.headers.get('location'), `?sign_in_error=${code}`)
    }
    const errors: GatehouseError[] = []
    await signIn({ onError: (error) => errors.push(error) })
    assert.equal(errors.length, 1)
    assert.match(errors[0]?.message ?? '', says)
    assert.equal(log.length, 0)
    await signIn({})
    assert.equal(log.length, 1, log.join('\n'))
    const [line = ''] = log
    assert.match(line, says)
    assert.ok(
      line.includes(`${SERVICE} (base_url, GATEHOUSE_URL) and ${tenantId} (tenant_id,`),
      line,
    )
  })
}

test('an outage after a verified session, and a used code, are not in the log of the app', async (t) => {
  const log = logOf(t)
  const outage = [unreachable, unreachable, unreachable]
  const script = [json({ valid: true, user: USER }), ...outage, apiError('invalidCode', 401)]
  const gate = createGate({
    client: createScriptedClient(script, { tenantId: 'c-fox-k3qd' }).client,
  })
  await gate.pass(browserRequest('/notes', { gh_access: 'a' }))
  for (const code of ['unavailable', 'invalid_tokens']) {
    const { response } = await gate.pass(browserRequest(EXCHANGE, STARTED))
    assert.equal(response?.headers.get('location'), `?sign_in_error=${code}`)
  }
  assert.deepEqual(log, [])
})

test('wrong settings are logged by the app when a logout cannot end the session', async (t) => {
  const log = logOf(t)
  const { client } = createScriptedClient([apiError('tenantNotFound', 404)], {
    tenantId: 'd-fox-k3qd',
  })
  const { response } = await createGate({ client }).pass(
    browserRequest('/logout', SESSION, { method: 'POST' }),
  )
  assert.deepEqual(applySetCookies(response?.headers.getSetCookie() ?? [], SESSION), {})
  assert.match(log.join('\n'), /^Gatehouse: It is tenantNotFound\..*d-fox-k3qd.*$/)
})

test('a wrong setting is said again after a session was verified, and for other settings', async (t) => {
  const log = logOf(t)
  const unknown = (): Response => apiError('tenantNotFound', 404)
  const open = async (client: Client): Promise<unknown> =>
    createGate({ client }).pass(browserRequest('/notes', { gh_access: 'a' }))
  const script = [unknown(), json({ valid: true, user: USER }), unknown(), unknown()]
  const { client } = createScriptedClient(script, { tenantId: 'again-fox-running-k3qd' })
  await open(client)
  await open(client)
  await open(client)
  await open(client)
  assert.equal(log.length, 2)
  await open(createScriptedClient([unknown()], { tenantId: 'second-fox-running-k3qd' }).client)
  assert.equal(log.length, 3)
  await open(
    createScriptedClient([unknown()], {
      tenantId: 'second-fox-running-k3qd',
      baseUrl: 'https://b.example',
    }).client,
  )
  assert.equal(log.length, 4)
})

test('an app with onError writes its own log, and an outage after a verified session is not a wrong setting', async (t) => {
  const log = logOf(t)
  const errors: string[] = []
  const quiet = createScriptedClient([apiError('tenantNotFound', 404)], {
    tenantId: 'quiet-fox-running-k3qd',
  }).client
  const onError = ({ code }: GatehouseError): unknown => errors.push(code)
  await createGate({ client: quiet, onError }).pass(browserRequest('/notes', SESSION))
  assert.deepEqual([errors, log], [['tenantNotFound'], []])
  const outage = new TypeError('fetch failed')
  const script = [json({ valid: true, user: USER }), outage, outage]
  const { client } = createScriptedClient(script, { tenantId: 'works-fox-running-k3qd' })
  const gate = createGate({ client })
  await gate.pass(browserRequest('/notes', SESSION))
  const { response } = await gate.pass(browserRequest('/notes', SESSION))
  assert.match((await response?.text()) ?? '', /still signed in/)
  assert.deepEqual(log, [])
})

test('text of a server that is not Gatehouse stays on one line of the log', async (t) => {
  const log = logOf(t)
  const forged = json({ error: { code: 'x\nforged line\u001b[2J\u2028', message: 'm' } }, 400)
  const { client } = createScriptedClient([forged], { tenantId: 'forged-fox-running-k3qd' })
  await createGate({ client }).pass(browserRequest('/notes', { gh_access: 'a' }))
  assert.match(log[0] ?? '', /forged line/)
  assert.doesNotMatch(log[0] ?? '', /[\p{C}\u2028]/u)
})

test('a person without a session is not told that they are signed in', async () => {
  const { client } = createScriptedClient([], {
    tenantId: 'fresh-fox-k3qd',
    cookies: { sessionName: 'mine' },
  })
  const error = new UnavailableError('The service is not available.', { reason: 'status' })
  const shown = async (cookies: Record<string, string>): Promise<string> =>
    (await unavailableAnswer(browserRequest('/', cookies), error, { client })).text()
  for (const cookies of [{}, { theme: 'dark', gh_bind: 'b' }]) {
    assert.match(await shown(cookies), /<p>Sign-in isn’t available right now/)
    assert.doesNotMatch(await shown(cookies), /signed in/)
  }
  for (const name of ['gh_access', 'gh_refresh', 'mine']) {
    assert.match(await shown({ [name]: 'x' }), /still signed in/)
  }
})

test('the page of an outage is in the language of the browser or of the app, with a link to try again', async () => {
  const texts = new Set<string>()
  const open = async (
    cookies: Record<string, string>,
    headers: Record<string, string>,
    { method = 'GET', uiLocales = '' } = {},
  ): Promise<{ html: string; response: Response }> => {
    const { client } = createScriptedClient([
      apiError('temporarilyUnavailable', 503, { 'Retry-After': '7' }),
    ])
    const request = browserRequest('/notes?q="><script>', cookies, {
      method,
      headers: { ...NAVIGATION, ...headers },
    })
    const { response } = await createGate({
      client,
      protect: ['/notes'],
      uiLocales,
      onError: () => {},
    }).pass(request)
    assert.ok(response)
    assert.equal(response.status, 503)
    assert.equal(response.headers.get('retry-after'), '7')
    return { html: await response.text(), response }
  }
  for (const tag of LANGUAGE_TAGS) {
    const { html } = await open(SESSION, { 'Accept-Language': tag })
    assert.match(html, new RegExp(`<html lang="${tag}" dir="${tag === 'ar' ? 'rtl' : 'ltr'}">`))
    assert.match(html, /<a class="button" href="">[^<]+<\/a>\n<\/nav>/)
    for (const [text] of html.matchAll(/(?<=<(h1|p|a class="button" href="")>)[^<]+/g)) {
      texts.add(text)
    }
  }
  assert.equal(
    texts.size,
    3 * LANGUAGE_TAGS.length,
    'a title, a text and a link in each language, no two alike',
  )
  const { html, response } = await open(SESSION, { 'Accept-Language': 'de' }, { uiLocales: 'fr' })
  assert.match(html, /<html lang="fr"/)
  assert.doesNotMatch(html, /<script|https?:|@import|url\(/)
  assert.match(
    response.headers.get('content-security-policy') ?? '',
    /^default-src 'none'; style-src 'sha256-/,
  )
  assert.deepEqual(
    ['content-type', 'cache-control', 'x-robots-tag'].map((name) => response.headers.get(name)),
    ['text/html; charset=utf-8', 'no-store', 'noindex'],
  )
  assert.equal((await open(SESSION, {}, { method: 'HEAD' })).html, '')
})

test('the session is JSON for the scripts of a page, refreshed, and 503 in an outage', async (t) => {
  const { client, tenant, signIn, expireAccessTokens } = await createFixture(t)
  const gate = createGate({ client })
  const cookies = tokenCookies(await signIn())
  expireAccessTokens()
  const { response } = await gate.pass(browserRequest('/auth/session', cookies, { headers: FETCH }))
  assert.match(
    (await response?.text()) ?? '',
    /^{"status":"signedIn","user":{"id":1,"email":"ada@example.com",/,
  )
  assert.equal(response?.headers.getSetCookie().length, 2)
  const anonymous = await gate.pass(browserRequest('/auth/session', {}, { headers: FETCH }))
  assert.deepEqual(await anonymous.response?.json(), { status: 'signedOut', user: null })
  assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize', 'token_refreshed'])
})

test('a page of a signed-in user is not stored, unless the app says otherwise; files of a page and pages without a user are not touched', async () => {
  const cacheControlOf = async (
    user: typeof USER | null,
    headers: Record<string, string>,
  ): Promise<string | null> => {
    const { client } = createScriptedClient(user === null ? [] : [json({ valid: true, user })])
    const passage = await createGate({ client }).pass(
      browserRequest('/', user === null ? {} : SESSION, { headers }),
    )
    return passage.response === null ? passage.cacheControl : assert.fail()
  }
  for (const headers of [
    NAVIGATION,
    FETCH,
    { 'Sec-Fetch-Dest': 'document' },
    { 'Sec-Fetch-Dest': 'empty' },
  ]) {
    assert.equal(await cacheControlOf(USER, headers), 'no-store')
  }
  for (const dest of ['script', 'style', 'image', 'font']) {
    assert.equal(await cacheControlOf(USER, { 'Sec-Fetch-Dest': dest }), null, dest)
  }
  assert.equal(await cacheControlOf(null, NAVIGATION), null)

  const additions = { setCookies: [], cacheControl: 'no-store' } as const
  const shown = new Response('Hello')
  assert.equal(withAdditions(shown, additions), shown, 'on Bun a copy would lose its content type')
  assert.equal(shown.headers.get('cache-control'), 'no-store')
  const own = withAdditions(
    new Response('', { headers: { 'Cache-Control': 'max-age=60' } }),
    additions,
  )
  assert.equal(own.headers.get('cache-control'), 'max-age=60')
})

test('a response with cookies of the session has no-store, unless the app says private or no-store itself', () => {
  for (const cacheControl of ['no-store', null] as const) {
    const additions = { setCookies: ['a=1; Path=/'], cacheControl }
    const shown = new Response('Hello')
    assert.equal(withAdditions(shown, additions), shown)
    assert.deepEqual(
      [shown.headers.get('cache-control'), shown.headers.getSetCookie()],
      ['no-store', ['a=1; Path=/']],
    )
    for (const [own, sent] of [
      ['public, max-age=31536000', 'no-store'],
      ['max-age=60', 'no-store'],
      ['no-cache', 'no-store'],
      ['max-age=60, private="x-mine"', 'no-store'],
      ['private, max-age=60', 'private, max-age=60'],
      ['max-age=0,No-Store', 'max-age=0,No-Store'],
    ] as const) {
      const response = withAdditions(
        new Response('', { headers: { 'Cache-Control': own } }),
        additions,
      )
      assert.equal(response.headers.get('cache-control'), sent, own)
    }
    const immutable = withAdditions(Response.redirect('https://app.example/x', 302), additions)
    assert.deepEqual([immutable.status, immutable.headers.getSetCookie()], [302, ['a=1; Path=/']])
  }
})

test('a file that a page loads refreshes no session outside protect, where the next page does; inside protect it refreshes', async (t) => {
  const { client, tenant, signIn, expireAccessTokens } = await createFixture(t)
  const gate = createGate({ client, protect: ['/notes'] })
  const cookies = tokenCookies(await signIn())
  const open = async (path: string, dest: string) => {
    const passage = await gate.pass(
      browserRequest(path, cookies, { headers: { 'Sec-Fetch-Dest': dest } }),
    )
    return passage.response === null
      ? [passage.session.status, passage.setCookies.length, passage.cacheControl]
      : assert.fail(path)
  }
  assert.deepEqual(await open('/logo.svg', 'image'), ['signedIn', 0, null])
  expireAccessTokens()
  for (const dest of ['image', 'script', 'style', 'font']) {
    assert.deepEqual(await open('/logo.svg', dest), ['signedOut', 0, null], dest)
  }
  assert.deepEqual(
    await tenant.eventKinds(),
    ['login_started', 'authorize'],
    'the refresh token is not spent',
  )
  assert.deepEqual(await open('/notes/7.png', 'image'), ['signedIn', 2, 'no-store'])
  assert.deepEqual(await open('/', 'document'), ['signedIn', 2, 'no-store'])
  assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize', 'token_refreshed'])
})

test('the cookies of an ended session are removed with the redirect to the login, and with the 401', async () => {
  for (const headers of [NAVIGATION, FETCH]) {
    const { client } = createScriptedClient([
      json({ valid: false }),
      apiError('refreshTokenReused', 401),
    ])
    const gate = createGate({ client, protect: ['/notes'] })
    const { response } = await gate.pass(
      browserRequest('/notes', { gh_access: 'a', gh_refresh: 'r' }, { headers }),
    )
    const removed = response?.headers.getSetCookie().filter((line) => line.includes('Max-Age=0'))
    assert.deepEqual(
      removed?.map((line) => line.split('=')[0]),
      ['gh_access', 'gh_refresh'],
    )
  }
})

test('a client that is a function is created at the first request, once', async () => {
  let created = 0
  const { client } = createScriptedClient([json({ valid: true, user: USER })])
  const gate = createGate({
    client: () => {
      created++
      return client
    },
    protect: ['/notes'],
  })
  assert.equal(created, 0)
  await gate.pass(browserRequest('/notes'))
  const passage = await gate.pass(browserRequest('/notes', { gh_access: 'a' }))
  assert.equal(passage.response === null && passage.session.user?.email, 'ada@example.com')
  assert.equal(created, 1)
})
