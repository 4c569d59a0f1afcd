import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessibilityViolations, openChromiumPage } from '../support/actors/chromium-page.ts'
import { claim } from '../support/actors/claim.ts'
import { squarePng } from '../support/png.ts'
import { long, slow } from '../support/tags.ts'
import { testDns } from '../support/transport/test-dns.ts'
import { world } from '../support/world.ts'

const NOTES = 'https://notes.app.example.com/callback'
const UMLAUT = 'https://xn--mnchen-3ya.example/callback'
const LOCAL = 'http://localhost:3000/callback'
const LONG =
  'https://accounts.google.com.a-rather-long-name-of-a-host.and-another-one.evil.example/callback'

for (const [width, scheme, skip] of [
  [1280, 'light', false],
  [1280, 'dark', long],
  [320, 'light', long],
  [320, 'dark', false],
] as const) {
  // proves C333
  test(`at ${width} px (${scheme}) the consent page shows the host first, then the brand of a verified app`, {
    skip: slow || skip,
  }, async (t) => {
    const { records, network } = testDns()
    const { agent, browser, clock } = await world(t, { through: 'port', network })
    const tenant = await agent.createTenant([NOTES, UMLAUT, LOCAL, LONG])
    const guest = await agent.createTenant([NOTES])
    await claim(tenant, browser())
    const { page, checkLayout, browserErrors } = await openChromiumPage(t, width, scheme)
    const consent = async (name: string, loginUrl: string, heading: string): Promise<void> => {
      clock.advance({ minutes: 1 })
      await page.goto(loginUrl)
      await page.getByRole('button', { name: 'Ada Lovelace' }).click()
      assert.equal(
        (await page.getByRole('heading', { level: 1 }).textContent())?.trim(),
        `Sign in to ${heading}?`,
      )
      await checkLayout(`consent-${name}-${scheme}`)
      assert.deepEqual(await accessibilityViolations(page), [], name)
    }
    const at = (callback: string): string =>
      `${tenant.loginUrl}?redirect_uri=${encodeURIComponent(callback)}`

    await consent('guest', guest.loginUrl, 'notes.app.example.com')
    await consent('owned', at(NOTES), 'notes.app.example.com')
    await consent('local', at(LOCAL), 'an app on this computer')
    await consent('letters', at(UMLAUT), 'xn--mnchen-3ya.example')
    await consent('long', at(LONG), new URL(LONG).host)

    const { dns } = (await tenant.manage('POST', '/api/domains', { host: 'example.com' })).json
      .domain
    records.set(dns.name, [[dns.value]])
    await tenant.manage('POST', '/api/domains/example.com/check')
    const links = {
      privacy_url: 'https://example.com/privacy',
      terms_url: 'https://example.com/terms',
    }
    await tenant.manage('PUT', '/api/social-login/brand', {
      name: 'Example Notes',
      accent: 'indigo',
      ...links,
    })
    await consent('monogram', at(NOTES), 'notes.app.example.com')
    const button = "document.querySelector('button[value=allow]')"
    const background = await page.evaluate(`getComputedStyle(${button}).backgroundColor`)
    assert.equal(background, scheme === 'light' ? 'rgb(67, 64, 184)' : 'rgb(174, 176, 247)')

    const upload = {
      key: tenant.key,
      body: squarePng(256, [67, 64, 184]),
      headers: { 'Content-Type': 'image/png' },
    }
    assert.equal((await agent.call('PUT', '/api/social-login/brand/logo', upload)).status, 200)
    await consent('logo', at(NOTES), 'notes.app.example.com')
    assert.equal(await page.evaluate("document.querySelector('.logo img').naturalWidth"), 256)
    await page.getByText('Verified domain').waitFor()
    assert.equal(
      await page.getByRole('link', { name: 'Privacy policy' }).getAttribute('href'),
      links.privacy_url,
    )
    assert.deepEqual(browserErrors, [])
  })
}
