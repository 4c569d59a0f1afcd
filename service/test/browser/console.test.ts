import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lendAccountCookie } from '../support/actors/account-cookie.ts'
import { accessibilityViolations, openChromiumPage } from '../support/actors/chromium-page.ts'
import { claim } from '../support/actors/claim.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

for (const [width, scheme] of [
  [1280, 'light'],
  [390, 'dark'],
] as const) {
  test(`at ${width} px (${scheme}) an owner finds a user by keyboard, changes their metadata and deletes them`, {
    skip: slow,
  }, async (t) => {
    const { agent, browser, baseUrl } = await world(t, { through: 'port' })
    const tenant = await agent.createTenant()
    const other = await agent.createTenant(null)
    for (const user of ['Ada Lovelace', 'Grace Hopper', 'Ada Lovelace']) {
      await tenant.signIn(browser(), user)
    }
    const owner = browser()
    await claim(tenant, owner, 'Alan Turing')
    await claim(other, owner, 'Alan Turing')
    const { page, checkLayout, browserErrors } = await openChromiumPage(t, width, scheme)
    await lendAccountCookie(page.context(), owner, baseUrl)
    const check = async (state: string): Promise<void> => {
      await checkLayout(`console-${state}`)
      assert.deepEqual(await accessibilityViolations(page), [], state)
    }

    await page.goto(`${baseUrl}/account`)
    await check('dashboard')
    await page.getByRole('link', { name: 'app.example.com' }).first().press('Enter')
    await page.getByLabel('Event', { exact: true }).selectOption('authorize')
    await page.getByRole('button', { name: 'Filter' }).press('Enter')
    await page.waitForURL(/event=authorize/)
    await check('overview')
    await page.getByRole('link', { name: '90 days' }).press('Enter')
    await page.getByText('Sign-ins (90 days)').waitFor()
    await check('overview-90')
    await page.getByRole('link', { name: 'Started' }).press('Enter')
    await page.getByRole('img', { name: '3 started sign-ins in the last 90 days' }).waitFor()
    await check('overview-started')
    await page.goto(`${baseUrl}/account/projects/${tenant.id}/users`)
    await check('users')
    const hidden = () =>
      page.evaluate<number>(
        "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.scroll'))",
      )
    assert.ok(
      (await hidden()) <= 0,
      `the table of users is ${await hidden()} px wider than its place`,
    )
    await page.goto(`${baseUrl}/account/projects/${tenant.id}/sessions`)
    assert.ok(
      (await hidden()) <= 0,
      `the table of sessions is ${await hidden()} px wider than its place`,
    )
    await page.goBack()
    await page.getByRole('searchbox').focus()
    await page.keyboard.type('ada')
    await page.keyboard.press('Enter')
    await page.getByText('1 user found').waitFor()
    await check('users-found')
    await page.getByRole('link', { name: 'Ada Lovelace' }).press('Enter')
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor()
    await check('user')
    await page.getByLabel('Your own fields of this user').fill('{"plan":')
    await page.getByRole('button', { name: 'Save metadata' }).press('Enter')
    await page.getByText('Nothing was saved').waitFor()
    await check('user-problem')
    assert.match(browserErrors.splice(0).join(), /status of 400/)
    await page.getByRole('button', { name: 'Block' }).press('Enter')
    await page.getByText('User blocked').waitFor()
    await check('user-blocked')
    await page.getByRole('checkbox', { name: 'Delete this user permanently' }).press('Space')
    await page.getByRole('button', { name: 'Delete user' }).press('Enter')
    await page.getByText('User deleted').waitFor()
    assert.deepEqual(
      (await tenant.users()).map(({ email }) => email),
      ['grace@example.com'],
    )
    assert.deepEqual(browserErrors, [])
  })
}
