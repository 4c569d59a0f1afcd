import assert from 'node:assert/strict'
import { test } from 'node:test'
import { suspendTenant } from '../../src/operations/tenants/suspension.ts'
import { accessibilityViolations, openChromiumPage } from '../support/actors/chromium-page.ts'
import { claim } from '../support/actors/claim.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

const REASON =
  'Reported for phishing on 15 November: https://evil.example/a-rather-long-address-that-does-not-wrap-by-itself copies the login page of a bank.'

for (const [width, scheme] of [
  [1280, 'light'],
  [390, 'dark'],
] as const) {
  // proves C355
  test(`at ${width} px (${scheme}) the owner reads why the project is suspended, and a user that sign-in is`, {
    skip: slow,
  }, async (t) => {
    const { agent, app, browser, baseUrl } = await world(t, { through: 'port' })
    const tenant = await agent.createTenant()
    await tenant.signIn(browser())
    const owner = browser()
    await claim(tenant, owner, 'Alan Turing')
    await suspendTenant(app.ctx, tenant.id, REASON)
    const { page, checkLayout, browserErrors } = await openChromiumPage(t, width, scheme)
    const cookies =
      owner.cookies.header({ url: new URL(baseUrl), method: 'GET', sameSite: true }) ?? ''
    const [name = '', value = ''] = /(gatehouse_account)=([^;]*)/.exec(cookies)?.slice(1) ?? []
    await page.context().addCookies([{ name, value, url: baseUrl, sameSite: 'Lax' }])
    const check = async (state: string): Promise<void> => {
      await checkLayout(`suspended-${state}-${scheme}`)
      assert.deepEqual(await accessibilityViolations(page), [], state)
    }

    await page.goto(`${baseUrl}/account/projects/${tenant.id}`)
    await page.getByRole('heading', { name: 'This project is suspended' }).waitFor()
    await page.getByText('copies the login page of a bank').first().waitFor()
    assert.equal(
      await page.getByRole('link', { name: 'send feedback' }).getAttribute('href'),
      '/feedback',
    )
    await check('overview')
    for (const [tab, button] of [
      ['settings/callbacks', 'Save callback URLs'],
      ['keys', 'Replace keys'],
      ['danger', 'Delete permanently'],
    ] as const) {
      await page.goto(`${baseUrl}/account/projects/${tenant.id}/${tab}`)
      await page.getByRole('heading', { name: 'This project is suspended' }).waitFor()
      assert.equal(await page.getByRole('button', { name: button }).isDisabled(), true, button)
      await check(tab)
    }
    assert.deepEqual(browserErrors, [])

    await page.goto(tenant.loginUrl)
    await page.getByRole('heading', { name: 'Sign-in for this app is suspended' }).waitFor()
    assert.equal(await page.getByText('bank').count(), 0, 'the reason is for the owner')
    await check('login')
    assert.match(browserErrors.join(), /status of 403/)
  })
}
