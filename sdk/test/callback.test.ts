import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type CallbackOptions,
  type GatehouseError,
  handleCallback,
  readCallbackError,
  startLogin,
} from '../src/index.ts'
import { APP, jar, type Scene, scene, visit, WAYS } from './support/scene.ts'
import { apiError, json, scripted } from './support/scripted.ts'

type Jar = Readonly<Record<string, string>>

const OPTIONS = { home: '/home', errorPath: '/sign-in-failed' }

/** A person presses "Sign in", goes all the way, and lands on the callback, whose address is not opened yet. */
async function goThrough(
  { here, client }: Scene,
  path: string,
  decision = 'Continue',
): Promise<{ landed: URL; cookies: Jar }> {
  here.clock.advance({ minutes: 1 })
  const started = startLogin(visit(path), { client, home: '/home', redirectUri: `${APP}/callback` })
  assert.equal(started.status, 303)
  const person = here.browser()
  await person.open(started.headers.get('location') ?? '')
  await person.press('Ada Lovelace')
  const landed = await person.press(decision)
  return { landed, cookies: jar(started.headers.getSetCookie()) }
}

async function arrive(
  { client }: Pick<Scene, 'client'>,
  landed: URL | string,
  cookies: Jar = {},
  options: Partial<CallbackOptions> = {},
): Promise<{ location: string | null; stored: Jar; response: Response }> {
  const response = await handleCallback(visit(String(landed), cookies), { client, ...OPTIONS, ...options })
  assert.equal(await response.text(), '', 'never a page')
  assert.equal(response.headers.get('cache-control'), 'no-store')
  assert.doesNotMatch(response.headers.get('location') ?? '', /svc_rt_|eyJ|gh_nonce/)
  return { location: response.headers.get('location'), stored: jar(response.headers.getSetCookie(), cookies), response }
}

for (const way of WAYS) {
  test(`[${way}] a sign-in ends where it was headed, with the pair in cookies and nothing in the address`, async (t) => {
    const there = await scene(t, { way })
    const { landed, cookies } = await goThrough(there, `/login?return_to=${encodeURIComponent('/notes/7?a=1&b=%20#x')}`)
    assert.equal(Object.keys(cookies).length, 1)
    const { location, stored, response } = await arrive(there, landed, cookies)
    assert.deepEqual([response.status, location], [303, '/notes/7?a=1&b=%20#x'])
    assert.equal(response.headers.get('referrer-policy'), 'no-referrer')
    assert.deepEqual(Object.keys(stored).sort(), ['gh_access', 'gh_refresh'], 'the nonce is gone')
    const lines = response.headers.getSetCookie()
    assert.match(lines[0] ?? '', /^gh_access=eyJ[^;]+; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax$/)
    assert.match(lines[1] ?? '', /^gh_refresh=svc_rt_[^;]+; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/)
    assert.equal((await there.client.session(visit('/notes', stored))).user?.email, 'ada@example.com')
    assert.deepEqual(await there.tenant.eventKinds(), ['login_started', 'authorize'])

    const twice = await arrive(there, landed, stored)
    assert.equal(twice.location, '/sign-in-failed?error=nonce_mismatch&return_to=%2Fnotes%2F7%3Fa%3D1%26b%3D%2520%23x')
    assert.deepEqual(twice.stored, stored, 'whoever is signed in stays so')
  })

  test(`[${way}] the bare login URL leads to the callback, which takes it only when told that nonces are not used`, async (t) => {
    const there = await scene(t, { way })
    const person = there.here.browser()
    await person.open(there.client.loginUrl({ redirectUri: `${APP}/callback`, returnTo: '/notes/7' }))
    await person.press('Ada Lovelace')
    const landed = await person.press('Continue')
    assert.equal((await arrive(there, landed)).location, '/sign-in-failed?error=nonce_mismatch&return_to=%2Fnotes%2F7')
    const { location, stored } = await arrive(there, landed, {}, { requireNonce: false })
    assert.equal(location, '/notes/7')
    assert.equal((await there.client.session(visit('/', stored))).user?.email, 'ada@example.com')
  })

  test(`[${way}] nowhere in particular means home, and so does a return_to that leaves the app`, async (t) => {
    const there = await scene(t, { way })
    for (const path of ['/login', '/login?return_to=https://evil.example/', '/login?return_to=//evil.example']) {
      const { landed, cookies } = await goThrough(there, path)
      assert.equal((await arrive(there, landed, cookies)).location, '/home')
    }
    const long = `/${'a'.repeat(1_010)}`
    const { landed, cookies } = await goThrough(there, `/login?return_to=${long}`)
    assert.equal((await arrive(there, landed, cookies)).location, '/home', 'one that leaves no room for the nonce')
  })

  test(`[${way}] letters from anywhere survive the way, in the form that a header takes`, async (t) => {
    const there = await scene(t, { way })
    const { landed, cookies } = await goThrough(there, `/login?return_to=${encodeURIComponent('/café/☕?q=ü')}`)
    const { location } = await arrive(there, landed, cookies)
    assert.equal(decodeURI(location ?? ''), '/café/☕?q=ü')
  })

  test(`[${way}] rotated on arrival, the pair that was in the address is dead`, async (t) => {
    const there = await scene(t, { way })
    const { landed, cookies } = await goThrough(there, '/login')
    const { stored } = await arrive(there, landed, cookies, { rotateOnArrival: true })
    assert.notEqual(stored.gh_refresh, landed.searchParams.get('refresh_token'))
    assert.equal(await there.tenant.isValid(landed.searchParams.get('access_token') ?? ''), false)
    assert.equal((await there.client.session(visit('/', stored))).status, 'signedIn')
    assert.deepEqual(await there.tenant.eventKinds(), ['login_started', 'authorize', 'token_refreshed'])
  })

  test(`[${way}] when there is no room to rotate, nobody is turned away`, async (t) => {
    const there = await scene(t, { way })
    const { landed, cookies } = await goThrough(there, '/login')
    let { refreshToken } = await there.signIn('Grace Hopper')
    for (let i = 0; i < 5; i++) refreshToken = (await there.client.refresh(refreshToken)).refreshToken
    const heard: GatehouseError[] = []
    const { location, stored } = await arrive(there, landed, cookies, {
      rotateOnArrival: true,
      onError: (error) => heard.push(error),
    })
    assert.equal(location, '/home')
    assert.equal(stored.gh_refresh, landed.searchParams.get('refresh_token'))
    assert.deepEqual(
      heard.map(({ code }) => code),
      ['rateLimited'],
    )
  })

  test(`[${way}] someone who said no, and a login that failed, come back with the reason and where they were headed`, async (t) => {
    const there = await scene(t, { way })
    const denied = await goThrough(there, '/login?return_to=/notes/7', 'Cancel')
    const { location, stored } = await arrive(there, denied.landed, denied.cookies)
    assert.equal(location, '/sign-in-failed?error=access_denied&return_to=%2Fnotes%2F7')
    assert.deepEqual(stored, {})
    assert.match(readCallbackError('access_denied')?.message ?? '', /did not agree/)
    assert.equal((await arrive(there, '/callback?error=login_failed')).location, '/sign-in-failed?error=login_failed')
    assert.equal(
      (await arrive(there, '/callback?error=<script>')).location,
      '/sign-in-failed?error=login_failed',
      'nothing is repeated that we did not write',
    )
    assert.equal(readCallbackError('<script>'), null)
    assert.equal(readCallbackError('toString'), null)
  })
}

test('a callback without tokens, with half of them, or with some twice is refused without asking anybody', async () => {
  const { client, sent } = scripted([])
  const cases: readonly (readonly [string, string])[] = [
    ['/callback', 'missing_tokens'],
    ['/callback?access_token=a', 'missing_tokens'],
    ['/callback?refresh_token=a', 'missing_tokens'],
    ['/callback?access_token=&refresh_token=b', 'missing_tokens'],
    ['/callback?access_token=a&access_token=b&refresh_token=c', 'missing_tokens'],
    ['/callback?access_token=a%0d%0aSet-Cookie:x=1&refresh_token=c', 'invalid_tokens'],
    ['/callback?access_token=a;b&refresh_token=c', 'invalid_tokens'],
    [`/callback?access_token=${'a'.repeat(5_000)}&refresh_token=c`, 'invalid_tokens'],
    ['/callback?access_token=a&refresh_token=c', 'nonce_mismatch'],
    ['/callback?access_token=a&refresh_token=c&return_to=/x?gh_nonce=0123456789abcdefghijkl', 'nonce_mismatch'],
    ['/callback?access_token=a&access_token=b&error=access_denied&error=x', 'login_failed'],
  ]
  for (const [path, error] of cases) {
    const { location, stored } = await arrive({ client }, path)
    assert.equal(new URLSearchParams(location?.split('?')[1]).get('error'), error, path)
    assert.deepEqual(stored, {}, path)
  }
  assert.deepEqual(sent, [])
})

test("a stranger cannot sign somebody in to the stranger's account", async (t) => {
  const there = await scene(t)
  const stranger = await goThrough(there, '/login?return_to=/pay')
  const victim = jar(startLogin(visit('/login'), { client: there.client }).headers.getSetCookie())
  for (const cookies of [{}, victim]) {
    const { location, stored } = await arrive(there, stranger.landed, cookies)
    assert.equal(location, '/sign-in-failed?error=nonce_mismatch&return_to=%2Fpay')
    assert.deepEqual(stored, cookies)
  }
  const unguarded = await arrive(there, stranger.landed, {}, { requireNonce: false })
  assert.equal(unguarded.location, '/pay')
})

test("another project's tokens, spent ones and made-up ones are refused", async (t) => {
  const there = await scene(t)
  const other = await there.here.agent.createTenant([`${APP}/callback`])
  const foreign = await other.signIn(there.here.browser())
  const spent = await there.signIn()
  await there.client.refresh(spent.refreshToken)
  const pairs = [
    { accessToken: foreign.access_token, refreshToken: foreign.refresh_token },
    spent,
    { accessToken: 'eyJ.made.up', refreshToken: 'svc_rt_up' },
  ]
  for (const { accessToken, refreshToken } of pairs) {
    for (const rotateOnArrival of [false, true]) {
      const query = new URLSearchParams({ access_token: accessToken, refresh_token: refreshToken })
      const { location, stored } = await arrive(
        there,
        `/callback?${query}`,
        {},
        { requireNonce: false, rotateOnArrival },
      )
      assert.deepEqual([location, stored], ['/sign-in-failed?error=invalid_tokens', {}])
    }
  }
  assert.equal(await other.isValid(foreign.access_token), true, 'they are not harmed by it')
})

test('a return_to that leaves the app is not followed, whoever wrote it', async () => {
  for (const path of [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '/%2f/evil.example',
    '/..//evil.example',
  ]) {
    const { client } = scripted([json({ valid: true, user: { id: 1, email: 'a@b.c', name: null, picture: null } })])
    const query = new URLSearchParams({ access_token: 'a', refresh_token: 'b', return_to: path })
    const { location } = await arrive({ client }, `/callback?${query}`, {}, { requireNonce: false })
    assert.equal(location, '/home', path)
  }
})

test('a service that is away, paused, over or odd leads to the error page, never to a crash', async () => {
  const cases: readonly (readonly [Response | Error, string])[] = [
    [apiError('tenantPaused', 403), 'tenant_paused'],
    [apiError('tenantExpired', 410), 'tenant_expired'],
    [apiError('notProvisioned', 403), 'not_set_up'],
    [apiError('tenantNotFound', 404), 'not_set_up'],
    [apiError('rateLimited', 429, { 'Retry-After': '60' }), 'rate_limited'],
    [apiError('temporarilyUnavailable', 503, { 'Retry-After': '60' }), 'unavailable'],
    [new Response('<h1>Hello</h1>'), 'unavailable'],
  ]
  for (const [answer, error] of cases) {
    const { client } = scripted([answer])
    const heard: GatehouseError[] = []
    const onError = (each: GatehouseError): unknown => heard.push(each)
    const { location } = await arrive(
      { client },
      '/callback?access_token=a&refresh_token=b',
      {},
      { requireNonce: false, onError },
    )
    assert.equal(location, `/sign-in-failed?error=${error}`)
    assert.equal(heard.length, 1)
    assert.match(readCallbackError(error)?.message ?? '', /\.$/)
  }
  const { client } = scripted([
    json({ valid: true, user: { id: 1, email: 'a@b.c', name: null, picture: null } }),
    apiError('tenantPaused', 403),
  ])
  const options = { requireNonce: false, rotateOnArrival: true }
  const { location } = await arrive({ client }, '/callback?access_token=a&refresh_token=b', {}, options)
  assert.equal(location, '/sign-in-failed?error=tenant_paused')
})

test('only GET is answered, and only paths of the app are gone to', async () => {
  const { client } = scripted([json({ valid: true, user: { id: 1, email: 'a@b.c', name: null, picture: null } })])
  for (const method of ['POST', 'HEAD', 'DELETE']) {
    const answer = await handleCallback(visit('/callback', {}, { method }), { client })
    assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'GET'])
  }
  const away = handleCallback(visit('/callback?error=x'), { client, errorPath: 'https://evil.example' })
  await assert.rejects(away, /path inside your app/)
})

test('two tabs can sign in side by side, and old starts are forgotten', async (t) => {
  const there = await scene(t)
  const first = await goThrough(there, '/login?return_to=/a')
  const second = await goThrough(there, '/login?return_to=/b')
  const both = { ...first.cookies, ...second.cookies }
  const one = await arrive(there, first.landed, both)
  assert.equal(one.location, '/a')
  assert.equal((await arrive(there, second.landed, one.stored)).location, '/b')

  let cookies: Jar = {}
  for (let i = 0; i < 30; i++) {
    const started = startLogin(visit('/login', cookies), { client: there.client })
    cookies = jar(started.headers.getSetCookie(), cookies)
  }
  assert.equal(Object.keys(cookies).length, 8)
})
