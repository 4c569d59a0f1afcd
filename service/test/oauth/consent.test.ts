import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csrfIn } from '../support/actors/csrf.ts'
import { readControls } from '../support/actors/html-controls.ts'
import { OAuthClient, REDIRECT, tokensOf } from '../support/actors/oauth-client.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

for (const engine of ENGINES) {
  test(`[${engine}] the consent page shows the client, its scopes and the account, and the user can allow fewer scopes`, async (t) => {
    const here = await world(t, { engine })
    const client = await OAuthClient.register(here, { client_name: 'My Agent' })
    const person = here.browser()
    await client.open(person, {}, 'Grace Hopper')
    for (const fact of [
      'My Agent',
      'client.example.com',
      'grace@example.com',
      'Use another account',
      'verified this name',
    ]) {
      assert.ok(person.page.text.includes(fact), fact)
    }
    const [form] = readControls(person.page.text).forms
    assert.deepEqual(
      form?.fields.map(([name]) => name),
      ['csrf', 'mcp:tenants:create', 'mcp:tenant:read', 'mcp:resources:write', 'mcp:feedback:write'],
      'all are ticked',
    )

    const landed = await postDecision(['mcp:tenant:read', 'admin'])
    assert.equal(landed.status, 303)
    const code = client.codeIn(new URL(landed.headers.get('location') ?? ''))
    assert.equal(tokensOf(await client.exchange(code)).scope, 'mcp:tenant:read')

    function postDecision(scopes: string[]) {
      const body = new URLSearchParams([
        ['csrf', csrfIn(person.page.text)],
        ...scopes.map((scope): [string, string] => [scope, 'yes']),
        ['decision', 'allow'],
      ])
      return person.request(person.page.url, { method: 'POST', body })
    }
  })

  test(`[${engine}] a consent decision is single use: repeating it issues no second code`, async (t) => {
    const here = await world(t, { engine })
    const client = await OAuthClient.register(here)
    const person = here.browser()
    await client.open(person)
    const { url, text } = person.page
    const decide = (decision: string) =>
      person.request(url, {
        method: 'POST',
        body: new URLSearchParams({ csrf: csrfIn(text), 'mcp:tenant:read': 'yes', decision }),
      })
    const responses = await Promise.all(Array.from({ length: 8 }, () => decide('allow')))
    assert.deepEqual(responses.map(({ status }) => status).sort(), [303, 410, 410, 410, 410, 410, 410, 410])
    assert.equal((await decide('deny')).status, 410)
    await person.open(url)
    assert.equal(person.page.status, 410)
    const location = responses.find(({ status }) => status === 303)?.headers.get('location') ?? ''
    assert.equal((await client.exchange(client.codeIn(new URL(location)))).status, 200)
  })

  test(`[${engine}] denying returns access_denied to the client and stores nothing`, async (t) => {
    const here = await world(t, { engine })
    const client = await OAuthClient.register(here)
    for (const signedIn of [false, true]) {
      const person = here.browser()
      if (signedIn) await client.open(person)
      else await person.open(client.authorizeUrl())
      const landed = await person.press('Deny')
      assert.equal(landed.origin + landed.pathname, REDIRECT)
      assert.deepEqual(
        [...landed.searchParams].filter(([name]) => name !== 'error_description'),
        [
          ['error', 'access_denied'],
          ['state', client.state],
          ['iss', here.baseUrl],
        ],
      )
      assert.equal(person.page.status, 303)
    }
    const account = await here.app.ctx.stores.accounts.find(1)
    assert.ok(account)
    assert.deepEqual(await here.app.ctx.stores.oauthGrants.listByAccount(account.id, here.clock.now()), [])
  })

  test(`[${engine}] only the browser that started the request and the session that was shown the page can decide`, async (t) => {
    const here = await world(t, { engine })
    const client = await OAuthClient.register(here)
    const person = here.browser()
    await client.open(person)
    const otherPage = person.page
    await client.open(person)
    const { url, text } = person.page
    const send = (browser = person, csrf = csrfIn(text), headers: Record<string, string> = {}) =>
      browser.request(url, {
        method: 'POST',
        body: new URLSearchParams({ csrf, 'mcp:tenant:read': 'yes', decision: 'allow' }),
        headers,
      })

    const stranger = here.browser()
    await stranger.open(url)
    assert.equal(stranger.page.status, 403, 'the address alone opens nothing')
    const otherClient = await OAuthClient.register(here)
    await otherClient.open(stranger, {}, 'Alan Turing')
    assert.equal((await stranger.request(url)).status, 403, 'nor to a browser that has a request of its own')
    assert.equal((await send(stranger)).status, 403)
    assert.equal((await send(stranger, csrfIn(stranger.page.text))).status, 403)

    assert.equal((await send(person, '')).status, 403)
    assert.equal((await send(person, csrfIn(otherPage.text))).status, 403, 'a token of another request')
    assert.equal((await send(person, csrfIn(text), { Origin: 'https://evil.example' })).status, 403)
    assert.equal((await send(person, csrfIn(text), { 'Sec-Fetch-Site': 'cross-site' })).status, 403)

    // Somebody else signs in, in the same browser: the page they did not see is not theirs to allow.
    const elsewhere = here.browser()
    for (const { name, value } of person.cookies.list()) elsewhere.cookies.keep(url, [`${name}=${value}; Path=/`])
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
    const person = here.browser()
    await client.open(person)
    here.clock.advance({ minutes: 10 })
    await person.press('Allow')
    assert.equal(person.page.status, 410)
    await here.app.sweep()
    await person.open(person.page.url)
    assert.equal(person.page.status, 410)
  })

  test(`[${engine}] consent is always requested, even for a client that was allowed before`, async (t) => {
    const here = await world(t, { engine })
    const client = await OAuthClient.register(here)
    const person = here.browser()
    await client.connect(person)
    const landed = await person.open(client.authorizeUrl({ prompt: 'none' }))
    assert.match(landed.pathname, /^\/oauth\/consent\//)
    assert.match(person.page.text, />Allow</)
  })
}

test('a user can switch accounts and returns to the same authorization request', async (t) => {
  const here = await world(t)
  const client = await OAuthClient.register(here)
  const person = here.browser()
  await client.open(person, {}, 'Ada Lovelace')
  const { pathname } = person.page.url
  await person.press('Use another account')
  await person.press('Grace Hopper')
  assert.equal(person.page.url.pathname, pathname)
  assert.match(person.page.text, /grace@example\.com/)
  const tokens = tokensOf(await client.exchange(client.codeIn(await person.press('Allow'))))
  assert.equal(tokens.principal_type, 'account')
})

test('a user who cancels at Google is not signed in and can still decide', async (t) => {
  const here = await world(t)
  const client = await OAuthClient.register(here)
  const person = here.browser()
  await person.open(client.authorizeUrl())
  const { url } = person.page
  await person.press('Sign in with Google')
  await person.press('Cancel')
  assert.equal(person.page.status, 403)
  await person.open(url)
  assert.match(person.page.text, />Sign in with Google</)
})

test('allowing with no scope selected decides nothing', async (t) => {
  const here = await world(t)
  const client = await OAuthClient.register(here)
  const person = here.browser()
  await client.open(person)
  const { url, text } = person.page
  for (const decision of ['allow', 'guest']) {
    const response = await person.request(url, {
      method: 'POST',
      body: new URLSearchParams({ csrf: csrfIn(text), decision }),
    })
    assert.equal(response.status, 400)
    assert.match(await response.text(), /Select at least one/)
  }
  await person.open(url)
  client.codeIn(await person.press('Allow'))
})

/** [redirect URI, what the page says of it, whether it warns of programs on this computer] */
const DESTINATIONS = [
  ['https://claude.ai/api/mcp/auth_callback', 'claude.ai', false],
  ['http://127.0.0.1:33418/callback', '127.0.0.1:33418', true],
  ['http://localhost/callback', 'localhost', true],
  ['http://[::1]:7/callback', '[::1]:7', true],
  ['cursor://anysphere.cursor-mcp/oauth/callback', 'cursor://anysphere.cursor-mcp', false],
  ['com.example.app:/callback', 'com.example.app:', false],
] as const

test('the consent page names the redirect target, warns about local programs, and its form-action allows the redirect', async (t) => {
  const here = await world(t)
  for (const [redirectUri, shown, warned] of DESTINATIONS) {
    const client = await OAuthClient.register(here, {}, redirectUri)
    const person = here.browser()
    await person.open(client.authorizeUrl())
    assert.ok(person.page.text.includes(`<strong>${shown}</strong>`), redirectUri)
    assert.equal(/Any program on this computer can ask/.test(person.page.text), warned, redirectUri)
    assert.equal(/verified this name/.test(person.page.text), !warned, redirectUri)
    const { protocol } = new URL(redirectUri)
    const policy = person.page.headers.get('content-security-policy') ?? ''
    assert.match(policy, new RegExp(`form-action 'self' [^;]*${protocol}`), policy)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.equal(person.page.headers.get('cache-control'), 'no-store')
    assert.equal(person.page.headers.get('referrer-policy'), 'no-referrer')
    const landed = await person.press('Deny')
    assert.ok(landed.href.startsWith(redirectUri), landed.href)
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
    const person = here.browser()
    await person.open(client.authorizeUrl())
    assert.equal(person.page.status, 200)
    assert.ok(person.page.text.includes(`<bdi>${shown}</bdi>`), JSON.stringify(name))
  }
})
