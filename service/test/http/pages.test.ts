import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVERY_PAGE } from '../../src/http/discovery/docs/page-list.ts'
import { VERSION } from '../../src/version.ts'
import { shownError } from '../support/actors/browser.ts'
import { openClaim, requestClaim } from '../support/actors/claim.ts'
import { OAuthClient } from '../support/actors/oauth-client.ts'
import { assertPageSecurity } from '../support/actors/page-security.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

const HTML = { Accept: 'text/html' }

// proves S031, RFC 9700 4.2
test('every login page forbids framing, referrers, caching, scripts and content sniffing', async (t) => {
  const { agent, browser, clock } = await world(t)
  const tenant = await agent.createTenant()
  const visit = (path: string) => agent.call('GET', path, { headers: { Accept: 'text/html' } })
  const edge = `/edge/auth/${tenant.id}/google`
  for (const [path, status] of [
    ['/status', 200],
    ['/feedback', 200],
    ['/account', 200],
    ['/nothing', 404],
    [`${edge}?redirect_uri=https://evil.example/`, 400],
    [`${edge}?return_to=//evil.example`, 400],
    [`${edge}?return_to=/a&return_to=/b`, 400],
    ['/edge/auth/no-such-tenant/google', 404],
    [`/edge/auth/${(await agent.createTenant(null)).id}/google`, 403],
    ['/auth/google/callback', 403],
    ['/auth/google/callback?code=x&state=y', 403],
    ['/auth/consent/nothing', 410],
  ] as const) {
    assertPageSecurity(path, await visit(path), status)
  }

  let { refresh_token } = await tenant.signIn(browser(), 'Grace Hopper')
  const user = browser()
  await user.open(tenant.loginUrl)
  await user.press('Ada Lovelace')
  assertPageSecurity('consent', user.page, 200)
  assert.match(
    user.page.headers.get('content-security-policy') ?? '',
    /form-action 'self' https:(;| )/,
  )
  for (let refreshes = 0; refreshes < 2; refreshes++) {
    ;({ refresh_token } = await tenant.refresh(refresh_token))
  }
  assertPageSecurity('minute limit', await visit(edge), 429, { scripts: true })
  await user.press('Continue')
  assertPageSecurity('busy', user.page, 429)
  clock.advance({ hours: 72 })
  assertPageSecurity('expired tenant', await visit(edge), 410)
  await user.press('Continue')
  assertPageSecurity('ended login', user.page, 410)
})

// proves D1, RFC 9700 4.12, RFC 9700 2.1.2
test('a consent decision is a 303 with an empty body, no caching and no referrer', async (t) => {
  const { agent, browser, clock } = await world(t)
  const tenant = await agent.createTenant()
  for (const button of ['Continue', 'Cancel']) {
    clock.advance({ minutes: 1 })
    const user = browser()
    await user.open(tenant.loginUrl)
    await user.press('Ada Lovelace')
    await user.press(button)
    const { status, headers, text } = user.page
    assert.deepEqual([status, text, headers.get('content-type')], [303, '', null])
    assert.ok(headers.get('location')?.startsWith('https://app.example.com/callback?'))
    assert.deepEqual(
      [headers.get('cache-control'), headers.get('referrer-policy')],
      ['no-store', 'no-referrer'],
    )
    assert.equal(
      headers.get('cross-origin-opener-policy'),
      'unsafe-none',
      'an app that opened a popup keeps its handle',
    )
    assert.deepEqual(headers.getSetCookie(), [])
  }
  const started = await agent.call('GET', `/edge/auth/${tenant.id}/google`)
  assert.deepEqual(
    [started.status, started.text, started.headers.get('cache-control')],
    [302, '', 'no-store'],
  )
  assert.match(
    started.headers.get('set-cookie') ?? '',
    /^gatehouse_browser=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/,
  )
})

// proves C290, S031
test('every claim and account page forbids framing, referrers, caching and sniffing; only the console may have scripts, of this site', {
  skip: slow,
}, async (t) => {
  const { agent, browser, baseUrl, clock } = await world(t)
  const [tenant, other] = [await agent.createTenant(), await agent.createTenant()]
  const owner = browser()
  const offer = await requestClaim(tenant)
  await owner.open(offer.approval_url)
  assertPageSecurity('claim, signed out', owner.page, 200)
  await owner.press('Continue with Google')
  await owner.press('Ada Lovelace')
  assertPageSecurity('claim', owner.page, 200)
  await owner.press('Approve')
  assertPageSecurity('approved', owner.page, 200)
  const stranger = browser()
  await stranger.open(offer.approval_url)
  assertPageSecurity('already approved', stranger.page, 409)
  await openClaim(owner, await requestClaim(other))
  await owner.press('Deny')
  assertPageSecurity('denied', owner.page, 200)
  const late = await requestClaim(other)
  clock.advance({ minutes: 31 })
  await owner.open(late.approval_url)
  assertPageSecurity('expired claim', owner.page, 410)

  for (const [path, status] of [
    ['/c/nothing', 404],
    ['/account/projects/nothing', 404],
    [`/account/projects/${other.id}`, 404],
  ] as const) {
    await owner.open(baseUrl + path)
    assertPageSecurity(path, owner.page, status)
  }
  const tabs = ['', '/users', '/sessions', '/settings', '/keys', '/danger']
  for (const path of ['/account', ...tabs.map((tab) => `/account/projects/${tenant.id}${tab}`)]) {
    await owner.open(baseUrl + path)
    assertPageSecurity(path, owner.page, 200, { scripts: true })
  }
  const signedOut = browser()
  await signedOut.open(`${baseUrl}/mcp/tenants/${tenant.id}/credentials`)
  assertPageSecurity('credentials, signed out', signedOut.page, 401)
  await owner.open(`${baseUrl}/account/projects/${tenant.id}/keys`)
  await owner.press('Replace')
  assertPageSecurity('new keys', owner.page, 200, { scripts: true })
  await owner.open(`${baseUrl}/account/projects/${tenant.id}/danger`)
  await owner.press('Delete', { confirm: 'something else' })
  assertPageSecurity('wrong confirmation', owner.page, 400, { scripts: true })
  await owner.press('Delete', { confirm: tenant.id })
  assertPageSecurity('deleted', owner.page, 200)
  for (const [headers, body] of [
    [{ Origin: 'https://evil.test' }, 'x=1'],
    [{ 'Content-Type': 'text/plain' }, 'x=1'],
    [{ 'Content-Type': 'application/x-www-form-urlencoded' }, 'x'.repeat(70_000)],
    [{ 'Content-Type': 'application/x-www-form-urlencoded' }, 'x=1&x=2'],
  ] as const) {
    const sent = { method: 'POST', headers: { ...HTML, ...headers }, body }
    const response = await shownError(
      owner,
      await owner.request(`${baseUrl}/account/sign-out`, sent),
    )
    const page = {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      json: undefined,
    }
    assert.ok(page.status >= 400 && page.status < 500, String(page.status))
    assertPageSecurity('rejected form', page, page.status)
  }
})

// proves S031, RFC 9700 4.16
test('every OAuth page forbids framing, referrers, caching and scripts, error pages included', async (t) => {
  const here = await world(t)
  const { agent, browser } = here
  const client = await OAuthClient.register(here)
  const user = browser()
  await user.open(client.authorizeUrl())
  // The client's page may have opened this one as a popup and needs its handle.
  assertPageSecurity('signed out', user.page, 200, { openerPolicy: 'unsafe-none' })
  const { url } = user.page
  await client.open(user)
  assertPageSecurity('signed in', user.page, 200, { openerPolicy: 'unsafe-none' })
  assert.match(
    user.page.headers.get('content-security-policy') ?? '',
    /form-action 'self' https:(;| )/,
  )
  await user.press('Allow')
  assert.deepEqual([user.page.status, user.page.text], [303, ''])
  for (const rejectedUrl of [
    url.href,
    client.authorizeUrl({ client_id: 'x' }),
    client.authorizeUrl({ redirect_uri: 'x' }),
  ]) {
    const otherBrowser = browser()
    await otherBrowser.open(rejectedUrl)
    assert.ok(otherBrowser.page.status >= 400, rejectedUrl)
    assertPageSecurity(rejectedUrl, otherBrowser.page, otherBrowser.page.status)
  }
  for (const path of ['/mcp/manage', '/api/nothing', '/oauth/nothing', '/.well-known/nothing']) {
    const response = await agent.call('GET', path, { headers: HTML })
    assert.ok(response.status >= 400, path)
    assert.match(
      response.headers.get('content-security-policy') ?? '',
      /frame-ancestors 'none'/,
      path,
    )
  }
})

test('the status page names the version that runs', async (t) => {
  const { agent } = await world(t)
  assert.ok((await agent.call('GET', '/status', { headers: HTML })).text.includes(VERSION))
})

// proves C295, S031
test('public pages can be cached, may have scripts of this site, and send every other security header', {
  skip: slow,
}, async (t) => {
  const { agent } = await world(t)
  for (const { path } of [{ path: '/' }, ...EVERY_PAGE]) {
    const response = await agent.call('GET', path, { headers: HTML })
    const headers = new Headers(response.headers)
    assert.match(headers.get('cache-control') ?? '', /^public, max-age=\d+$/)
    headers.set('cache-control', 'no-store')
    assertPageSecurity(path, { ...response, headers }, 200, { scripts: true })
  }
})

test('every page warns when the development sign-in can be reached from other machines, and none otherwise', async (t) => {
  const exposed = await world(t, { env: { HOST: '0.0.0.0', ALLOW_DEVELOPMENT_SIGN_IN: '1' } })
  const ordinary = await world(t)
  for (const path of ['/', '/docs', '/account', '/no-such-page', '/c/unknown']) {
    const page = async ({ agent }: typeof exposed) =>
      (await agent.call('GET', path, { headers: { Accept: 'text/html' } })).text
    assert.match(await page(exposed), /anyone who can open this page can sign in as anyone/, path)
    assert.doesNotMatch(await page(ordinary), /sign in as anyone/, path)
  }
  const api = await exposed.agent.call('POST', '/api/genesis')
  assert.equal(api.status, 201)
})
