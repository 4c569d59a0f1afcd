import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessibilityViolations, openChromiumPage } from '../support/actors/chromium-page.ts'
import { claim } from '../support/actors/claim.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

const OPERATOR = {
  OPERATOR_NAME: 'Example Inc.',
  TERMS_URL: 'https://example.com/terms',
  SUPPORT_URL: 'https://example.com/support',
}

for (const [width, scheme] of [
  [1280, 'light'],
  [320, 'dark'],
] as const) {
  // proves C344
  test(`at ${width} px (${scheme}) a person signs in, sees their apps, signs out of one and removes their data`, {
    skip: slow,
  }, async (t) => {
    const { agent, browser, baseUrl, clock } = await world(t, { through: 'port', env: OPERATOR })
    const notes = await agent.createTenant(['https://notes.example.com/callback'])
    const shop = await agent.createTenant([
      'https://a-shop-with-a-rather-long-name.shop.example.com/callback',
    ])
    const trial = await agent.createTenant(['http://localhost:3000/callback'])
    await claim(notes, browser(), 'Grace Hopper')
    await claim(shop, browser(), 'Grace Hopper')
    for (const app of [notes, shop, trial]) {
      await app.signIn(browser())
    }
    clock.advance({ hours: 5 })
    const again = await notes.signIn(browser())
    const { page, checkLayout, browserErrors } = await openChromiumPage(t, width, scheme)
    const check = async (name: string): Promise<void> => {
      await checkLayout(name)
      assert.deepEqual(await accessibilityViolations(page), [], name)
    }

    await page.goto(notes.loginUrl)
    await page.getByRole('button', { name: 'Ada Lovelace' }).click()
    await page.getByText('Run by Example Inc.').waitFor()
    await check('consent-with-operator')
    await page.goto(`${baseUrl}/privacy`)
    await check('privacy')
    await page.getByRole('link', { name: 'Your data' }).first().click()
    await check('me-sign-in')
    await page.getByRole('button', { name: 'Sign in with Google' }).click()
    await page.getByRole('button', { name: 'Ada Lovelace' }).click()
    const app = (host: string) => page.getByRole('region', { name: host })
    await app('notes.example.com').waitFor()
    await check('me')
    await app('notes.example.com').getByRole('button', { name: 'Sign out of this app' }).click()
    await page.getByText('You’re signed out of the app').waitFor()
    assert.equal(await notes.isValid(again.access_token), false)
    await app('notes.example.com').locator('summary').click()
    await check('me-remove')
    await app('notes.example.com').getByRole('button', { name: 'Remove my data' }).click()
    await app('notes.example.com').getByText('You asked to have your data removed').waitFor()
    await check('me-requested')
    await app('localhost').locator('summary').click()
    await app('localhost').getByRole('button', { name: 'Remove my data' }).click()
    await page.getByText('Your data was removed from the app').waitFor()
    assert.equal(await app('localhost').count(), 0)
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByText('You’re signed out of every app').waitFor()
    await page.getByRole('button', { name: 'Sign out of this page' }).click()
    await page.getByRole('button', { name: 'Sign in with Google' }).waitFor()
    assert.deepEqual(browserErrors, [])
  })
}
