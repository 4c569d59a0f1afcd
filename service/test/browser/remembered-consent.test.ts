import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessibilityViolations, openChromiumPage } from '../support/actors/chromium-page.ts'
import { claim } from '../support/actors/claim.ts'
import { codeQuery, newVerifier } from '../support/actors/login-code.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

const APP = 'https://notes.example.com/callback'

for (const [width, scheme] of [
  [1280, 'light'],
  [390, 'dark'],
] as const) {
  test(`at ${width} px (${scheme}) a person uses another account by keyboard, is not asked again, and forgets the consent`, {
    skip: slow,
  }, async (t) => {
    const { agent, browser, baseUrl, clock } = await world(t, { through: 'port' })
    const tenant = await agent.createTenant([APP])
    await claim(tenant, browser())
    await tenant.manage('PATCH', '/api/social-login/settings', { remember_consent: true })
    const { page, checkLayout } = await openChromiumPage(t, width, scheme)
    const check = async (name: string): Promise<void> => {
      await checkLayout(`${name}-${scheme}`)
      assert.deepEqual(await accessibilityViolations(page), [], name)
    }
    /** The app isn't there: the browser asks for it, and shows an error of its own. */
    const reachesApp = (): Promise<unknown> =>
      Promise.all([
        page.waitForRequest((request) => request.url().startsWith(`${APP}?code=`)),
        page.waitForEvent('framenavigated', (frame) => frame.url().startsWith('chrome-error:')),
      ])
    const choose = async (name: string): Promise<void> => {
      clock.advance({ minutes: 1 })
      await page.goto(tenant.loginUrl + codeQuery(newVerifier()))
      await page.getByRole('button', { name }).click()
    }

    await choose('Ada Lovelace')
    await page.getByText('doesn’t ask you again for 30 days').waitFor()
    await check('consent-remembered')
    await page.getByRole('button', { name: 'Use another account' }).press('Enter')
    await page.getByRole('button', { name: 'Grace Hopper' }).press('Enter')
    await page.getByText('grace@example.com').waitFor()
    const continued = reachesApp()
    await page.getByRole('button', { name: 'Continue' }).press('Enter')
    await continued

    const skipped = reachesApp()
    await choose('Grace Hopper')
    await skipped
    assert.deepEqual(
      (await tenant.eventKinds()).filter((kind) => kind !== 'login_started'),
      ['authorize', 'authorize'],
    )

    await page.goto(`${baseUrl}/me`)
    await page.getByRole('button', { name: 'Sign in with Google' }).click()
    await page.getByRole('button', { name: 'Grace Hopper' }).click()
    await check('me-consent')
    await page.getByRole('button', { name: 'Forget consent' }).press('Enter')
    await page.getByText('The app asks you again at your next sign-in').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Forget consent' }).count(), 0)
    await choose('Grace Hopper')
    await page.getByRole('button', { name: 'Continue' }).waitFor()
    await page.goto(`${baseUrl}/account`)
    await check('account-sign-in')
  })
}
