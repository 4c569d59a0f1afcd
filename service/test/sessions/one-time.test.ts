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
  test(`[${engine}] what Google sent back is taken once, also when it comes eight times at once`, async (t) => {
    const at = await world(t, { engine })
    const tenant = await at.agent.createTenant()
    const { browser: person, interceptedUrl } = browserInterceptedAt(at, '/auth/google/callback')
    await person.open(tenant.loginUrl)
    await person.press('Ada Lovelace')
    const mine = at.browser({
      Cookie: person.cookies.header({ url: interceptedUrl(), method: 'GET', sameSite: true }) ?? '',
    })
    const responses = await Promise.all(EIGHT.map(() => mine.request(interceptedUrl(), { headers: HTML })))
    assert.deepEqual(
      responses.map(({ status }) => status).sort(),
      [303, ...Array(7).fill(410)],
      'one goes on to the decision',
    )
    assert.deepEqual(await tenant.eventKinds(), ['login_started'])
  })

  test(`[${engine}] eight decisions at once give one pair, one person and one event`, async (t) => {
    const { agent, browser } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const person = browser()
    await person.open(tenant.loginUrl)
    await person.press('Ada Lovelace')
    const responses = await pressed(person, person.page.url, { csrf: csrfOf(person), decision: 'allow' })
    const landed = responses.filter(({ status }) => status === 303)
    assert.equal(landed.length, 1)
    assert.ok(
      responses
        .filter(({ status }) => status !== 303)
        .every(({ status, headers }) => status === 410 && !headers.has('location')),
    )
    assert.equal((await tenant.users()).length, 1)
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize'])
  })

  test(`[${engine}] a claim is decided once: neither its link, its page nor its token works a second time`, async (t) => {
    const { agent, browser } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const offer = await requestClaim(tenant)
    const human = browser()
    await openClaim(human, offer)
    const address = `${human.page.url}/decide`
    const claims = { csrf: csrfOf(human), decision: 'approve' }
    const responses = await pressed(human, address, claims)
    assert.deepEqual(responses.map(({ status }) => status).sort(), [200, ...Array(7).fill(409)])

    // Neither to take it back, nor for somebody else to take it over.
    const [again] = await pressed(human, address, { ...claims, decision: 'deny' })
    assert.equal(again?.status, 409)
    const late = browser()
    await openClaim(late, offer, 'Grace Hopper')
    assert.equal(late.page.status, 409)
    assert.equal((await waitForClaim(tenant, offer)).json.status, 'approved')
    const { status, tenant_id } = await tenant.status()
    assert.deepEqual([status, tenant_id], ['claimed', tenant.id])
    assert.equal((await tenant.manage('POST', '/api/claim/url')).status, 409)
  })

  test(`[${engine}] eight permissions at once give one code, and it opens one grant`, async (t) => {
    const here = await world(t, { engine })
    const client = await OAuthClient.register(here)
    const person = here.browser()
    await client.open(person)
    const claims = { csrf: csrfOf(person), decision: 'allow', 'mcp:tenant:read': 'yes' }
    const responses = await pressed(person, person.page.url, claims)
    const codes = responses.flatMap(({ headers }) =>
      new URL(headers.get('location') ?? 'about:blank').searchParams.getAll('code'),
    )
    for (const code of codes) here.secrets.add(code)
    assert.equal(codes.length, 1)
    const traded = await client.exchange(codes[0] ?? '')
    assert.equal(traded.status, 200)
    const { access_token, refresh_token } = traded.json
    assertOAuthError(await client.exchange(codes[0] ?? ''), 400, 'invalid_grant')
    assert.equal(
      await isAccessTokenValid(here, access_token),
      false,
      'a code that comes back ends what it was traded for',
    )
    assertOAuthError(await client.refresh(refresh_token), 400, 'invalid_grant')
  })
}
