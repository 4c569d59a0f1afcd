import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVERY_PAGE } from '../../src/http/discovery/page-list.ts'
import { openClaim, requestClaim } from '../support/actors/claim.ts'
import { OAuthClient } from '../support/actors/oauth-client.ts'
import { assertPageSecurity } from '../support/actors/page-security.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

const HTML = { Accept: 'text/html' }

for (const engine of ENGINES) {
  test(`[${engine}] 16. every login page forbids framing, referrers, caching, scripts and content sniffing`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const visit = (path: string) => agent.call('GET', path, { headers: { Accept: 'text/html' } })
    const edge = `/edge/auth/${tenant.id}/google`
    for (const [path, status] of [
      ['/', 200],
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

    const person = browser()
    await person.open(tenant.loginUrl)
    await person.press('Ada Lovelace')
    assertPageSecurity('consent', person.page, 200)
    assert.match(person.page.headers.get('content-security-policy') ?? '', /form-action 'self' https:(;| )/)
    for (let others = 0; others < 5; others++) await visit(edge)
    assertPageSecurity('a full minute', await visit(edge), 429)
    await person.press('Continue')
    assertPageSecurity('busy', person.page, 429)
    clock.advance({ hours: 72 })
    assertPageSecurity('an ended tenant', await visit(edge), 410)
    await person.press('Continue')
    assertPageSecurity('a login that is over', person.page, 410)
  })

  test(`[${engine}] 16. a consent decision is a 303 with an empty body, no caching and no referrer`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    for (const button of ['Continue', 'Cancel']) {
      clock.advance({ minutes: 1 })
      const person = browser()
      await person.open(tenant.loginUrl)
      await person.press('Ada Lovelace')
      await person.press(button)
      const { status, headers, text } = person.page
      assert.deepEqual([status, text, headers.get('content-type')], [303, '', null])
      assert.ok(headers.get('location')?.startsWith('https://app.example.com/callback?'))
      assert.deepEqual([headers.get('cache-control'), headers.get('referrer-policy')], ['no-store', 'no-referrer'])
      assert.deepEqual(headers.getSetCookie(), [])
    }
    const started = await agent.call('GET', `/edge/auth/${tenant.id}/google`)
    assert.deepEqual([started.status, started.text, started.headers.get('cache-control')], [302, '', 'no-store'])
    assert.match(
      started.headers.get('set-cookie') ?? '',
      /^gatehouse_browser=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/,
    )
  })
}

test('16. every claim and account page forbids framing, referrers, caching and scripts, error pages included', async (t) => {
  const { agent, browser, baseUrl, clock } = await world(t)
  const [tenant, other] = [await agent.createTenant(), await agent.createTenant()]
  const human = browser()
  const offer = await requestClaim(tenant)
  await human.open(offer.approval_url)
  assertPageSecurity('a claim, signed out', human.page, 200)
  await human.press('Sign in with Google to decide')
  await human.press('Ada Lovelace')
  assertPageSecurity('a claim', human.page, 200)
  await human.press('Approve')
  assertPageSecurity('approved', human.page, 200)
  await human.open(offer.approval_url)
  assertPageSecurity('approved before', human.page, 409)
  await openClaim(human, await requestClaim(other))
  await human.press('Deny')
  assertPageSecurity('denied', human.page, 200)
  const late = await requestClaim(other)
  clock.advance({ minutes: 31 })
  await human.open(late.approval_url)
  assertPageSecurity('too late', human.page, 410)

  for (const [path, status] of [
    ['/c/nothing', 404],
    ['/account', 200],
    [`/account/projects/${tenant.id}`, 200],
    ['/account/projects/nothing', 404],
    [`/account/projects/${other.id}`, 404],
  ] as const) {
    await human.open(baseUrl + path)
    assertPageSecurity(path, human.page, status)
  }
  const signedOut = browser()
  await signedOut.open(`${baseUrl}/mcp/tenants/${tenant.id}/credentials`)
  assertPageSecurity('credentials, signed out', signedOut.page, 401)
  await human.open(`${baseUrl}/account/projects/${tenant.id}`)
  await human.press('Replace')
  assertPageSecurity('new keys', human.page, 200)
  await human.open(`${baseUrl}/account/projects/${tenant.id}`)
  await human.press('Delete', { confirm: 'something else' })
  assertPageSecurity('a wrong name', human.page, 400)
  await human.press('Delete', { confirm: tenant.id })
  assertPageSecurity('deleted', human.page, 200)
  for (const [headers, body] of [
    [{ Origin: 'https://evil.test' }, 'x=1'],
    [{ 'Content-Type': 'text/plain' }, 'x=1'],
    [{ 'Content-Type': 'application/x-www-form-urlencoded' }, 'x'.repeat(70_000)],
    [{ 'Content-Type': 'application/x-www-form-urlencoded' }, 'x=1&x=2'],
  ] as const) {
    const response = await human.request(`${baseUrl}/account/sign-out`, {
      method: 'POST',
      headers: { ...HTML, ...headers },
      body,
    })
    const page = { status: response.status, headers: response.headers, text: await response.text(), json: undefined }
    assert.ok(page.status >= 400 && page.status < 500, String(page.status))
    assertPageSecurity('a refused button', page, page.status)
  }
})

test('16. every OAuth page forbids framing, referrers, caching and scripts, error pages included', async (t) => {
  const here = await world(t)
  const { agent, browser } = here
  const client = await OAuthClient.register(here)
  const person = browser()
  await person.open(client.authorizeUrl())
  // A client's page may have opened this one in a window, and waits there for it to come back.
  assertPageSecurity('signed out', person.page, 200, 'unsafe-none')
  const { url } = person.page
  await client.open(person)
  assertPageSecurity('signed in', person.page, 200, 'unsafe-none')
  assert.match(person.page.headers.get('content-security-policy') ?? '', /form-action 'self' https:(;| )/)
  await person.press('Allow')
  assert.deepEqual([person.page.status, person.page.text], [303, ''])
  for (const refused of [
    url.href,
    client.authorizeUrl({ client_id: 'x' }),
    client.authorizeUrl({ redirect_uri: 'x' }),
  ]) {
    const stranger = browser()
    await stranger.open(refused)
    assert.ok(stranger.page.status >= 400, refused)
    assertPageSecurity(refused, stranger.page, stranger.page.status)
  }
  for (const path of ['/mcp/manage', '/api/nothing', '/oauth/nothing', '/.well-known/nothing']) {
    const response = await agent.call('GET', path, { headers: HTML })
    assert.ok(response.status >= 400, path)
    assert.match(response.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/, path)
  }
})

test('16. public pages can be cached and send every other security header', async (t) => {
  const { agent } = await world(t)
  for (const { path } of EVERY_PAGE) {
    const response = await agent.call('GET', path, { headers: HTML })
    const headers = new Headers(response.headers)
    assert.match(headers.get('cache-control') ?? '', /^public, max-age=\d+$/)
    headers.set('cache-control', 'no-store')
    assertPageSecurity(path, { ...response, headers }, 200)
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
