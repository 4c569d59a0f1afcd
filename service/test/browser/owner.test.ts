import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessibilityViolations, openChromiumPage } from '../support/actors/chromium-page.ts'
import { requestClaim } from '../support/actors/claim.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

for (const [width, scheme] of [
  [1280, 'light'],
  [320, 'dark'],
] as const) {
  // proves C263
  test(`at ${width} px (${scheme}) an owner claims a project, replaces its keys and deletes it`, {
    skip: slow,
  }, async (t) => {
    const { agent, browser, baseUrl } = await world(t, { through: 'port' })
    const tenant = await agent.createTenant()
    await tenant.signIn(browser(), 'Grace Hopper')
    const offer = await requestClaim(tenant)
    const { page, checkLayout, browserErrors } = await openChromiumPage(t, width, scheme)
    const check = async (name: string): Promise<void> => {
      await checkLayout(name)
      assert.deepEqual(await accessibilityViolations(page), [], name)
    }

    await page.goto(offer.approval_url)
    await page.getByText(offer.confirmation_code).waitFor()
    await check('claim-signed-out')
    await page.getByRole('button', { name: 'Continue with Google' }).click()
    await page.getByRole('button', { name: 'Ada Lovelace' }).click()
    await check('claim')
    await page.getByRole('button', { name: 'Approve' }).click()
    await check('claim-approved')
    assert.equal((await tenant.status()).status, 'claimed')

    await page.getByRole('link', { name: 'Go to your account' }).click()
    await check('dashboard')
    await page.getByRole('link', { name: 'app.example.com' }).first().click()
    await page.getByText('grace@example.com').first().waitFor()
    await check('project')
    for (const tab of ['Users', 'Sessions', 'Settings', 'Danger', 'Keys']) {
      await page
        .getByRole('navigation', { name: 'Project' })
        .getByRole('link', { name: tab })
        .press('Enter')
      await page.locator('.tabs [aria-current=page]', { hasText: tab }).waitFor()
      await check(`project-${tab.toLowerCase()}`)
    }
    await page.getByRole('button', { name: 'Replace' }).click()
    await check('new-keys')

    const second = await agent.createTenant()
    await page.goto((await requestClaim(second)).approval_url)
    await page.getByRole('radio', { name: /stop working now/ }).check()
    await check('claim-replace-now')
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('The old keys no longer work').waitFor()
    await check('claim-new-keys')
    assert.equal((await second.manage('GET', '/api/status')).status, 401)

    await page.goto(`${baseUrl}/account/projects/${tenant.id}/danger`)
    await page.locator('input[name=confirm]').fill('another')
    await page.getByRole('button', { name: 'Delete' }).click()
    await check('not-deleted')
    assert.match(browserErrors.splice(0).join(), /status of 400/)
    await page.locator('input[name=confirm]').fill(tenant.id)
    await page.getByRole('button', { name: 'Delete' }).click()
    await check('deleted')
    assert.equal((await tenant.manage('GET', '/api/resources')).status, 410)
    assert.deepEqual(browserErrors, [])
  })
}
