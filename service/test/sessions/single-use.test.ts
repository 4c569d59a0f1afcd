import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { decideConsent } from '../../src/operations/login/decide-consent.ts'
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
/** Submits the same form eight times concurrently. */
const submitEightTimes = (
  browser: Browser,
  address: string | URL,
  fields: Record<string, string>,
): Promise<Response[]> =>
  Promise.all(
    EIGHT.map(() =>
      browser.request(address, {
        method: 'POST',
        body: new URLSearchParams(fields),
        headers: HTML,
      }),
    ),
  )

for (const engine of ENGINES) {
  test(`[${engine}] eight concurrent requests with one provider callback complete it once`, async (t) => {
    const service = await world(t, { through: 'port', engine })
    const tenant = await service.agent.createTenant()
    const { browser: userBrowser, interceptedUrl } = browserInterceptedAt(
      service,
      '/auth/google/callback',
    )
    await userBrowser.open(tenant.loginUrl)
    await userBrowser.press('Ada Lovelace')
    const sameBrowser = service.browser({
      Cookie:
        userBrowser.cookies.header({ url: interceptedUrl(), method: 'GET', sameSite: true }) ?? '',
    })
    const responses = await Promise.all(
      EIGHT.map(() => sameBrowser.request(interceptedUrl(), { headers: HTML })),
    )
    assert.deepEqual(
      responses.map(({ status }) => status).sort(),
      [303, ...Array(7).fill(410)],
      'one continues to the consent page',
    )
    assert.deepEqual(await tenant.eventKinds(), ['login_started'])
  })

  test(`[${engine}] of two consent decisions that both found the login undecided, one creates a token pair and both return it`, async (t) => {
    const { app, agent, browser } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const userBrowser = browser()
    await userBrowser.open(tenant.loginUrl)
    await userBrowser.press('Ada Lovelace')
    const url = new URL(userBrowser.page.url)
    const cookies = userBrowser.cookies.header({ url, method: 'POST', sameSite: true }) ?? ''
    const decision = {
      attemptId: path.basename(url.pathname),
      browser: /gatehouse_browser=([\w-]+)/.exec(cookies)?.[1] ?? '',
      csrf: csrfOf(userBrowser),
      allow: true,
      shown: null,
      requestId: 'r',
    }
    // Without HTTP in between, both read the attempt before either transaction starts.
    const [one, two] = await Promise.all([
      decideConsent(app.ctx, decision),
      decideConsent(app.ctx, decision),
    ])
    assert.equal(one, two)
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize'])
  })

  test(`[${engine}] eight concurrent consent decisions create one token pair, one user and one event`, async (t) => {
    const { agent, browser } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const userBrowser = browser()
    await userBrowser.open(tenant.loginUrl)
    await userBrowser.press('Ada Lovelace')
    const responses = await submitEightTimes(userBrowser, userBrowser.page.url, {
      csrf: csrfOf(userBrowser),
      decision: 'allow',
    })
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([303]))
    assert.equal(new Set(responses.map(({ headers }) => headers.get('location'))).size, 1)
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
    const fields = { csrf: csrfOf(owner), decision: 'approve' }
    const responses = await submitEightTimes(owner, address, fields)
    assert.deepEqual(
      new Set(responses.map(({ status }) => status)),
      new Set([303]),
      'all lead to the same result',
    )

    // The owner cannot revert the decision, and another user cannot claim the tenant.
    const [again] = await submitEightTimes(owner, address, { ...fields, decision: 'deny' })
    assert.equal(again?.status, 303)
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
    const fields = { csrf: csrfOf(userBrowser), decision: 'allow', 'mcp:tenant:read': 'yes' }
    const responses = await submitEightTimes(userBrowser, userBrowser.page.url, fields)
    const codes = responses.flatMap(({ headers }) =>
      new URL(headers.get('location') ?? 'about:blank').searchParams.getAll('code'),
    )
    for (const code of codes) {
      service.secrets.add(code)
    }
    assert.equal(codes.length, 8, 'a repeated decision gets the same response')
    assert.equal(new Set(codes).size, 1)
    const exchanged = await client.exchange(codes[0] ?? '')
    assert.equal(exchanged.status, 200)
    const { access_token, refresh_token } = exchanged.json
    assertOAuthError(await client.exchange(codes[0] ?? ''), 400, 'invalid_grant')
    assert.equal(
      await isAccessTokenValid(service, access_token),
      false,
      'a reused code revokes the tokens that it was exchanged for',
    )
    assertOAuthError(await client.refresh(refresh_token), 400, 'invalid_grant')
  })
}
