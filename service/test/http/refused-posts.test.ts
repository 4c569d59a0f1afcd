import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signInToAccount } from '../support/actors/account.ts'
import type { Browser } from '../support/actors/browser.ts'
import { claim, openClaim, requestClaim } from '../support/actors/claim.ts'
import { csrfOf } from '../support/actors/csrf.ts'
import { textOf } from '../support/actors/page-checks.ts'
import { type World, world } from '../support/world.ts'

const HTML = { Accept: 'text/html', 'Sec-Fetch-Site': 'same-origin' }

/** The page with a form, the path of its POST, and a body that is refused. */
type Refused = (
  here: World,
  browser: Browser,
) => Promise<readonly [path: string, fields: Record<string, string>]>

const REFUSED: Readonly<Record<string, Refused>> = {
  async '/me'(here, browser) {
    await browser.open(`${here.baseUrl}/me`)
    return ['/me/sign-in', { provider: 'none' }]
  },
  async 'the consent page'(here, browser) {
    await browser.open((await here.agent.createTenant()).loginUrl)
    await browser.press('Ada Lovelace')
    return [browser.page.url.pathname, { csrf: csrfOf(browser), decision: 'none' }]
  },
  async 'a claim'(here, browser) {
    await openClaim(browser, await requestClaim(await here.agent.createTenant()), 'Ada Lovelace')
    return [`${browser.page.url.pathname}/decide`, { csrf: csrfOf(browser), decision: 'none' }]
  },
  async feedback(here, browser) {
    await claim(await here.agent.createTenant(), browser)
    await browser.open(`${here.baseUrl}/feedback`)
    return ['/feedback', { csrf: csrfOf(browser), project: 'no-such-tenant', feedback: 'x' }]
  },
  async 'a button of the console'(here, browser) {
    const tenant = await here.agent.createTenant()
    await claim(tenant, browser)
    await browser.open(`${here.baseUrl}/account/projects/${tenant.id}/users`)
    return [`${browser.page.url.pathname}/export`, { csrf: csrfOf(browser), format: 'none' }]
  },
}

for (const [name, open] of Object.entries(REFUSED)) {
  // proves C278
  test(`a refused POST of ${name} redirects to the page of its form, which shows the error once`, async (t) => {
    const here = await world(t)
    const browser = here.browser()
    const [path, fields] = await open(here, browser)
    const form = browser.page.url.href
    const body = new URLSearchParams(fields)
    const send = (headers: Record<string, string>) =>
      browser.request(new URL(path, here.baseUrl), { method: 'POST', headers, body })

    const refused = await send(HTML)
    assert.deepEqual(
      [refused.status, refused.headers.get('location')],
      [303, new URL(form).pathname],
    )
    const elsewhere = await browser.request(`${here.baseUrl}/account`, { headers: HTML })
    assert.ok(elsewhere.status < 400, 'another page does not show it')
    await browser.open(form)
    const { status, text } = browser.page
    assert.ok(status >= 400 && status < 500, String(status))
    assert.match(textOf(text), /at POST \/\S+ What happened: .+ Fix: /s)
    assert.ok(
      textOf(text).includes(`Request ${refused.headers.get('x-request-id')}`),
      'the request that was refused',
    )
    await browser.open(form)
    assert.equal(browser.page.status, 200, 'a reload shows the page')

    await send(HTML)
    here.clock.advance({ minutes: 1 })
    await browser.open(form)
    assert.equal(browser.page.status, 200, 'for a minute')
    assert.equal(
      (await send({ Accept: 'application/json' })).status,
      status,
      'a program gets the error itself',
    )
  })
}

// proves C278
test('a POST that another site may have sent, and one that is too long to read, are answered directly', async (t) => {
  const here = await world(t)
  const browser = here.browser()
  await signInToAccount(here.baseUrl, browser)
  const send = (headers: Record<string, string>, body: URLSearchParams) =>
    browser.request(`${here.baseUrl}/account/sign-out`, { method: 'POST', headers, body })
  const forged = [
    await send(
      { ...HTML, 'Sec-Fetch-Site': 'cross-site' },
      new URLSearchParams({ csrf: csrfOf(browser) }),
    ),
    await send(HTML, new URLSearchParams({ csrf: 'x' })),
  ]
  for (const response of forged) {
    assert.equal(response.status, 403)
    assert.doesNotMatch(response.headers.getSetCookie().join(), /gatehouse_form/)
  }
  assert.equal((await send(HTML, new URLSearchParams({ csrf: 'x'.repeat(1_000_000) }))).status, 413)
})
