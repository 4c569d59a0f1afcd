import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signInToAccount } from '../support/actors/account.ts'
import type { Browser } from '../support/actors/browser.ts'
import { openClaim, requestClaim } from '../support/actors/claim.ts'
import { csrfOf } from '../support/actors/csrf.ts'
import { browserInterceptedAt } from '../support/actors/intercepted-browser.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { slow } from '../support/tags.ts'
import { type World, world } from '../support/world.ts'

const signIn = ({ baseUrl, browser }: World, user: string): Promise<Browser> =>
  signInToAccount(baseUrl, browser(), user)

for (const engine of ENGINES) {
  // proves ASVS 7.6.2
  test(`[${engine}] an intercepted account sign-in does not sign another browser in`, {
    skip: slow,
  }, async (t) => {
    const service = await world(t, { through: 'port', engine })
    const { baseUrl } = service
    // The attacker stops before the last redirect and sends its URL to the victim.
    const { browser: attacker, interceptedUrl } = browserInterceptedAt(
      service,
      '/auth/google/callback',
    )
    await attacker.open(`${baseUrl}/account`)
    await attacker.press('Sign in with Google')
    await attacker.press('Grace Hopper')

    const signedOut = service.browser()
    const victim = await signIn(service, 'Ada Lovelace')
    for (const browser of [signedOut, victim]) {
      await browser.open(interceptedUrl())
      assert.equal(browser.page.status, 403)
    }
    await signedOut.open(`${baseUrl}/account`)
    assert.doesNotMatch(signedOut.page.text, /grace@example\.com/)
    await victim.open(`${baseUrl}/account`)
    assert.match(victim.page.text, /ada@example\.com/)
    assert.doesNotMatch(victim.page.text, /grace@example\.com/)
  })

  // proves ASVS 7.2.4
  test(`[${engine}] sign-in replaces a session cookie that an attacker planted`, async (t) => {
    const service = await world(t, { engine })
    const { baseUrl } = service
    const planted = 'A'.repeat(43)
    const victim = service.browser()
    victim.cookies.keep(new URL(baseUrl), [`gatehouse_account=${planted}; Path=/`])
    await signInToAccount(baseUrl, victim)
    const current = victim.cookies.list().find(({ name }) => name === 'gatehouse_account')
    assert.notEqual(current?.value, planted)

    // Sign-in also ends a valid session of the attacker that was planted in the victim's browser.
    const attacker = await signIn(service, 'Grace Hopper')
    const theirs =
      attacker.cookies.list().find(({ name }) => name === 'gatehouse_account')?.value ?? ''
    const second = service.browser()
    second.cookies.keep(new URL(baseUrl), [`gatehouse_account=${theirs}; Path=/`])
    await second
      .request(`${baseUrl}/account/sign-in`, {
        method: 'POST',
        body: new URLSearchParams({ next: '/account' }),
      })
      .then((response) => second.open(response.headers.get('location') ?? ''))
    await second.press('Ada Lovelace')
    for (const cookie of [planted, theirs]) {
      const headers = { Cookie: `gatehouse_account=${cookie}` }
      assert.equal(
        (await service.agent.call('GET', '/account/insights/data', { headers })).status,
        401,
      )
    }
  })

  // proves RFC 9700 4.11
  test(`[${engine}] after sign-in the browser is redirected only to pages of the service`, async (t) => {
    const service = await world(t, { engine })
    const { baseUrl, browser, clock } = service
    for (const [next, ends] of [
      ['https://evil.test', '/account'],
      ['//evil.test', '/account'],
      ['/\\evil.test', '/account'],
      ['/account/..//evil.test', '/account'],
      ['/account/\r\nSet-Cookie: a=b', '/account/Set-Cookie:%20a=b'],
      ['/account/✓', '/account/%E2%9C%93'],
      ['/account/\u0000x', '/account/%00x'],
      [`/account/${'x'.repeat(5_000)}`, '/account'],
    ] as const) {
      clock.advance({ minutes: 1 })
      const userBrowser = browser()
      const started = await userBrowser.request(`${baseUrl}/account/sign-in`, {
        method: 'POST',
        body: new URLSearchParams({ next }),
      })
      await userBrowser.open(started.headers.get('location') ?? '')
      assert.equal((await userBrowser.press('Ada Lovelace')).href, baseUrl + ends)
      assert.equal(userBrowser.cookies.list().filter(({ name }) => name === 'a').length, 0)
    }
    assert.ok(!service.logLines.join('').includes('"level":50'))
  })
}

test('a claim decision needs the CSRF token of its own browser session', async (t) => {
  const service = await world(t)
  const tenant = await service.agent.createTenant()
  const claimRequest = await requestClaim(tenant)
  const [ada, grace] = [service.browser(), service.browser()]
  await openClaim(ada, claimRequest)
  await openClaim(grace, claimRequest, 'Grace Hopper')
  const csrf = csrfOf(grace)
  const decide = (body: Record<string, string>) =>
    ada.request(`${ada.page.url}/decide`, { method: 'POST', body: new URLSearchParams(body) })
  assert.equal(
    (await decide({ decision: 'approve', csrf })).status,
    403,
    'the CSRF token of another session',
  )
  assert.equal((await tenant.status()).status, 'ephemeral')
  await ada.press('Approve')
  await grace.press('Approve')
  assert.equal(grace.page.status, 409)
  await grace.open(`${service.baseUrl}/account/projects/${tenant.id}`)
  assert.equal(grace.page.status, 404)
})
