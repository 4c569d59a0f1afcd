import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAccessTokenValid } from '../support/actors/access-token.ts'
import type { Browser } from '../support/actors/browser.ts'
import { openClaim, requestClaim, waitForClaim } from '../support/actors/claim.ts'
import { csrfOf } from '../support/actors/csrf.ts'
import { browserInterceptedAt } from '../support/actors/intercepted-browser.ts'
import { assertOAuthError, OAuthClient } from '../support/actors/oauth-client.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

const EIGHT = Array.from({ length: 8 })
const HTML = { Accept: 'text/html' }
/** The same button, pressed eight times at once. */
const pressed = (browser: Browser, address: string | URL, claims: Record<string, string>): Promise<Response[]> =>
  Promise.all(
    EIGHT.map(() => browser.request(address, { method: 'POST', body: new URLSearchParams(claims), headers: HTML })),
  )

for (const engine of ENGINES) {
  test(`[${engine}] eight concurrent requests with one provider callback complete it once`, async (t) => {
    const service = await world(t, { engine })
    const tenant = await service.agent.createTenant()
    const { browser: userBrowser, interceptedUrl } = browserInterceptedAt(service, '/auth/google/callback')
    await userBrowser.open(tenant.loginUrl)
    await userBrowser.press('Ada Lovelace')
    const mine = service.browser({
      Cookie: userBrowser.cookies.header({ url: interceptedUrl(), method: 'GET', sameSite: true }) ?? '',
    })
    const responses = await Promise.all(EIGHT.map(() => mine.request(interceptedUrl(), { headers: HTML })))
    assert.deepEqual(
      responses.map(({ status }) => status).sort(),
      [303, ...Array(7).fill(410)],
      'one goes on to the decision',
    )
    assert.deepEqual(await tenant.eventKinds(), ['login_started'])
  })

  test(`[${engine}] eight concurrent consent decisions create one token pair, one user and one event`, async (t) => {
    const { agent, browser } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const userBrowser = browser()
    await userBrowser.open(tenant.loginUrl)
    await userBrowser.press('Ada Lovelace')
    const responses = await pressed(userBrowser, userBrowser.page.url, { csrf: csrfOf(userBrowser), decision: 'allow' })
    const redirects = responses.filter(({ status }) => status === 303)
    assert.equal(redirects.length, 1)
    assert.ok(
      responses
        .filter(({ status }) => status !== 303)
        .every(({ status, headers }) => status === 410 && !headers.has('location')),
    )
    assert.equal((await tenant.users()).length, 1)
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize'])
  })

  test(`[${engine}] a claim is decided once, also with eight concurrent decisions`, async (t) => {
    const { agent, browser } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const claimRequest = await requestClaim(tenant)
    const owner = browser()
    await openClaim(owner, claimRequest)
    const address = `${owner.page.url}/decide`
    const claims = { csrf: csrfOf(owner), decision: 'approve' }
    const responses = await pressed(owner, address, claims)
    assert.deepEqual(responses.map(({ status }) => status).sort(), [200, ...Array(7).fill(409)])

    // Neither to take it back, nor for somebody else to take it over.
    const [again] = await pressed(owner, address, { ...claims, decision: 'deny' })
    assert.equal(again?.status, 409)
    const late = browser()
    await openClaim(late, claimRequest, 'Grace Hopper')
    assert.equal(late.page.status, 409)
    assert.equal((await waitForClaim(tenant, claimRequest)).json.status, 'approved')
    const { status, tenant_id } = await tenant.status()
    assert.deepEqual([status, tenant_id], ['claimed', tenant.id])
    assert.equal((await tenant.manage('POST', '/api/claim/url')).status, 409)
  })

  test(`[${engine}] eight concurrent OAuth consents issue one code, which is exchanged once`, async (t) => {
    const service = await world(t, { engine })
    const client = await OAuthClient.register(service)
    const userBrowser = service.browser()
    await client.open(userBrowser)
    const claims = { csrf: csrfOf(userBrowser), decision: 'allow', 'mcp:tenant:read': 'yes' }
    const responses = await pressed(userBrowser, userBrowser.page.url, claims)
    const codes = responses.flatMap(({ headers }) =>
      new URL(headers.get('location') ?? 'about:blank').searchParams.getAll('code'),
    )
    for (const code of codes) service.secrets.add(code)
    assert.equal(codes.length, 1)
    const traded = await client.exchange(codes[0] ?? '')
    assert.equal(traded.status, 200)
    const { access_token, refresh_token } = traded.json
    assertOAuthError(await client.exchange(codes[0] ?? ''), 400, 'invalid_grant')
    assert.equal(
      await isAccessTokenValid(service, access_token),
      false,
      'a code that comes back ends what it was traded for',
    )
    assertOAuthError(await client.refresh(refresh_token), 400, 'invalid_grant')
  })
}
