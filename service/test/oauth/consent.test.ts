import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shownError } from '../support/actors/browser.ts'
import { csrfIn } from '../support/actors/csrf.ts'
import { readControls } from '../support/actors/html-controls.ts'
import { OAuthClient, REDIRECT, tokensOf } from '../support/actors/oauth-client.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

for (const engine of ENGINES) {
  // proves C114
  test(`[${engine}] a consent decision is single use: repeating it issues no second code`, async (t) => {
    const here = await world(t, { engine })
    const client = await OAuthClient.register(here)
    const user = here.browser()
    await client.open(user)
    const { url, text } = user.page
    const decide = (decision: string) =>
      user.request(url, {
        method: 'POST',
        body: new URLSearchParams({ csrf: csrfIn(text), 'mcp:tenant:read': 'yes', decision }),
      })
    const responses = await Promise.all(Array.from({ length: 8 }, () => decide('allow')))
    const locations = new Set(responses.map(({ headers }) => headers.get('location')))
    assert.equal(locations.size, 1)
    assert.equal((await decide('deny')).status, 410)
    await user.open(url)
    assert.equal(user.page.status, 410)
    const [location] = locations
    assert.equal((await client.exchange(client.codeIn(new URL(location ?? '')))).status, 200)
  })

  test(`[${engine}] denying returns access_denied to the client and stores nothing`, async (t) => {
    const here = await world(t, { engine })
    const client = await OAuthClient.register(here)
    for (const signedIn of [false, true]) {
      const user = here.browser()
      if (signedIn) {
        await client.open(user)
      } else {
        await user.open(client.authorizeUrl())
      }
      const redirectedTo = await user.press('Deny')
      assert.equal(redirectedTo.origin + redirectedTo.pathname, REDIRECT)
      assert.deepEqual(
        [...redirectedTo.searchParams].filter(([name]) => name !== 'error_description'),
        [
          ['error', 'access_denied'],
          ['state', client.state],
          ['iss', here.baseUrl],
        ],
      )
      assert.equal(user.page.status, 303)
    }
    const account = await here.app.ctx.stores.accounts.find(1)
    assert.ok(account)
    assert.deepEqual(
      await here.app.ctx.stores.oauthGrants.listByAccount(account.id, here.clock.now()),
      [],
    )
  })

  test(`[${engine}] only the browser that started the request and the session that was shown the page can decide`, async (t) => {
    const here = await world(t, { engine })
    const client = await OAuthClient.register(here)
    const user = here.browser()
    await client.open(user)
    const otherPage = user.page
    await client.open(user)
    const { url, text } = user.page
    const send = (browser = user, csrf = csrfIn(text), headers: Record<string, string> = {}) =>
      browser.request(url, {
        method: 'POST',
        body: new URLSearchParams({ csrf, 'mcp:tenant:read': 'yes', decision: 'allow' }),
        headers,
      })

    const otherBrowser = here.browser()
    await otherBrowser.open(url)
    assert.equal(otherBrowser.page.status, 403, 'the URL alone gives no access')
    const otherClient = await OAuthClient.register(here)
    await otherClient.open(otherBrowser, {}, 'Alan Turing')
    assert.equal(
      (await otherBrowser.request(url)).status,
      403,
      'a browser with its own request has no access either',
    )
    assert.equal((await send(otherBrowser)).status, 403)
    assert.equal((await send(otherBrowser, csrfIn(otherBrowser.page.text))).status, 403)

    assert.equal((await send(user, '')).status, 403)
    assert.equal(
      (await send(user, csrfIn(otherPage.text))).status,
      403,
      'the CSRF token of another request',
    )
    assert.equal((await send(user, csrfIn(text), { Origin: 'https://evil.example' })).status, 403)
    assert.equal((await send(user, csrfIn(text), { 'Sec-Fetch-Site': 'cross-site' })).status, 403)

    // Another account signs in in the same browser: it cannot submit a page that it was not shown.
    const elsewhere = here.browser()
    for (const { name, value } of user.cookies.list()) {
      elsewhere.cookies.keep(url, [`${name}=${value}; Path=/`])
    }
    await elsewhere.open(`${here.baseUrl}/account`)
    await elsewhere.press('Sign out')
    await elsewhere.press('Sign in with Google')
    await elsewhere.press('Grace Hopper')
    assert.equal((await send(elsewhere)).status, 403)

    await elsewhere.open(url)
    assert.equal(elsewhere.page.status, 200)
    assert.match(elsewhere.page.text, /grace@example\.com/)
    assert.equal((await send(elsewhere, csrfIn(elsewhere.page.text))).status, 303)
  })

  test(`[${engine}] an authorization request expires after ten minutes`, async (t) => {
    const here = await world(t, { engine })
    const client = await OAuthClient.register(here)
    const user = here.browser()
    await client.open(user)
    const shown = user.page
    here.clock.advance({ minutes: 10 })
    await user.press('Allow')
    assert.equal(user.page.status, 410)
    await user.open(shown.url)
    assert.equal(user.page.status, 410)
    await here.app.sweep()
    await user.open(user.page.url)
    assert.equal(user.page.status, 410)
  })
}

// proves C116, ASVS 10.7.2
test('the consent page shows the client, its scopes and the account, and the user can allow fewer scopes', async (t) => {
  const here = await world(t)
  const client = await OAuthClient.register(here, { client_name: 'My Agent' })
  const user = here.browser()
  await client.open(user, {}, 'Grace Hopper')
  for (const fact of [
    'My Agent',
    'client.example.com',
    'grace@example.com',
    'Use another account',
    'verified this name',
  ]) {
    assert.ok(user.page.text.includes(fact), fact)
  }
  const [form] = readControls(user.page.text).forms
  assert.deepEqual(
    form?.fields.map(([name]) => name),
    ['csrf', 'mcp:tenants:create', 'mcp:tenant:read', 'mcp:resources:write', 'mcp:feedback:write'],
    'all are selected',
  )

  const redirectedTo = await postDecision(['mcp:tenant:read', 'admin'])
  assert.equal(redirectedTo.status, 303)
  const code = client.codeIn(new URL(redirectedTo.headers.get('location') ?? ''))
  assert.equal(tokensOf(await client.exchange(code)).scope, 'mcp:tenant:read')

  function postDecision(scopes: string[]) {
    const body = new URLSearchParams([
      ['csrf', csrfIn(user.page.text)],
      ...scopes.map((scope): [string, string] => [scope, 'yes']),
      ['decision', 'allow'],
    ])
    return user.request(user.page.url, { method: 'POST', body })
  }
})

// proves ASVS 10.7.1
test('consent is always requested, even for a client that was allowed before', async (t) => {
  const here = await world(t)
  const client = await OAuthClient.register(here)
  const user = here.browser()
  await client.connect(user)
  const redirectedTo = await user.open(client.authorizeUrl({ prompt: 'none' }))
  assert.match(redirectedTo.pathname, /^\/oauth\/consent\//)
  assert.match(user.page.text, />Allow</)
})

// proves C119
test('a user can switch accounts and returns to the same authorization request', async (t) => {
  const here = await world(t)
  const client = await OAuthClient.register(here)
  const user = here.browser()
  await client.open(user, {}, 'Ada Lovelace')
  const { pathname } = user.page.url
  await user.press('Use another account')
  await user.press('Grace Hopper')
  assert.equal(user.page.url.pathname, pathname)
  assert.match(user.page.text, /grace@example\.com/)
  const tokens = tokensOf(await client.exchange(client.codeIn(await user.press('Allow'))))
  assert.equal(tokens.principal_type, 'account')
})

test('a user who cancels at Google is not signed in and can still decide', async (t) => {
  const here = await world(t)
  const client = await OAuthClient.register(here)
  const user = here.browser()
  await user.open(client.authorizeUrl())
  const { url } = user.page
  await user.press('Sign in with Google')
  await user.press('Cancel')
  assert.equal(user.page.status, 403)
  await user.open(url)
  assert.match(user.page.text, />Sign in with Google</)
})

test('allowing with no scope selected decides nothing', async (t) => {
  const here = await world(t)
  const client = await OAuthClient.register(here)
  const user = here.browser()
  await client.open(user)
  const { url, text } = user.page
  for (const decision of ['allow', 'guest']) {
    const response = await user.request(url, {
      method: 'POST',
      body: new URLSearchParams({ csrf: csrfIn(text), decision }),
    })
    assert.equal(response.status, 303, 'Back and Reload repeat no POST')
    const shown = await shownError(user, response)
    assert.equal(shown.status, 400)
    assert.match(await shown.text(), /Select at least one/)
  }
  await user.open(url)
  client.codeIn(await user.press('Allow'))
})

/** [redirect URI, its text on the page, whether the page warns about local programs] */
const DESTINATIONS = [
  ['https://claude.ai/api/mcp/auth_callback', 'claude.ai', false],
  ['http://127.0.0.1:33418/callback', '127.0.0.1:33418', true],
  ['http://localhost/callback', 'localhost', true],
  ['http://[::1]:7/callback', '[::1]:7', true],
  ['cursor://anysphere.cursor-mcp/oauth/callback', 'cursor://anysphere.cursor-mcp', false],
  ['com.example.app:/callback', 'com.example.app:', false],
] as const

// proves D6, ASVS 10.4.7
test('the consent page names the redirect target, warns about local programs, and its form-action allows the redirect', async (t) => {
  const here = await world(t)
  for (const [redirectUri, shown, warned] of DESTINATIONS) {
    const client = await OAuthClient.register(here, {}, redirectUri)
    const user = here.browser()
    await user.open(client.authorizeUrl())
    assert.ok(user.page.text.includes(`<strong>${shown}</strong>`), redirectUri)
    assert.equal(/Any program on this computer can ask/.test(user.page.text), warned, redirectUri)
    assert.equal(/verified this name/.test(user.page.text), !warned, redirectUri)
    const { protocol } = new URL(redirectUri)
    const policy = user.page.headers.get('content-security-policy') ?? ''
    assert.match(policy, new RegExp(`form-action 'self' [^;]*${protocol}`), policy)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.equal(user.page.headers.get('cache-control'), 'no-store')
    assert.equal(user.page.headers.get('referrer-policy'), 'no-referrer')
    const redirectedTo = await user.press('Deny')
    assert.ok(redirectedTo.href.startsWith(redirectUri), redirectedTo.href)
  }
})

test('a client name is escaped, and a client without one is shown as unnamed', async (t) => {
  const here = await world(t)
  for (const [name, shown] of [
    ['<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
    ['good\u202egnp.exe', 'goodgnp.exe'],
    ['\u0000\u200b', 'an unnamed application'],
    [undefined, 'an unnamed application'],
    [{ en: 'x' }, 'an unnamed application'],
    ['x'.repeat(500), 'x'.repeat(80)],
  ] as const) {
    const client = await OAuthClient.register(here, { client_name: name })
    const user = here.browser()
    await user.open(client.authorizeUrl())
    assert.equal(user.page.status, 200)
    assert.ok(user.page.text.includes(`<bdi>${shown}</bdi>`), JSON.stringify(name))
  }
})

test('after a decision about an app with its own scheme a page says so and offers the link until the code is used', async (t) => {
  const here = await world(t)
  const client = await OAuthClient.register(
    here,
    { client_name: 'Cursor' },
    'cursor://anysphere.cursor-mcp/oauth/callback',
  )
  const user = here.browser()
  await client.open(user)
  const opened = await user.press('Allow')
  const code = client.codeIn(opened)
  assert.match(user.page.text, /<h1>Access was given<\/h1>/)
  assert.match(user.page.text, /<bdi>Cursor<\/bdi>/)
  assert.equal(user.page.headers.get('cache-control'), 'no-store')
  assert.equal((await user.follow('Open the app')).href, opened.href)
  const { url } = user.page
  assert.equal((await user.open(url)).href, opened.href, 'a reload issues no other code')

  const stranger = here.browser()
  await stranger.open(url)
  assert.equal(stranger.page.status, 403)
  assert.ok(!stranger.page.text.includes(code))

  tokensOf(await client.exchange(code))
  assert.equal((await user.open(url)).href, url.href, 'a used code is not sent again')
  assert.match(user.page.text, /You can close this page/)
  assert.doesNotMatch(user.page.text, /mcp_ac_|Open the app/)
  tokensOf(await client.exchange(await client.code(user)))

  await client.open(user)
  assert.equal((await user.press('Deny')).searchParams.get('error'), 'access_denied')
  assert.match(user.page.text, /<h1>Access was denied<\/h1>/)
  await client.open(user)
  const undecided = new URL(`${user.page.url.href}/decided`)
  await user.open(undecided)
  assert.equal(user.page.status, 410)
})
