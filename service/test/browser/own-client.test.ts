import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessibilityViolations, openChromiumPage } from '../support/actors/chromium-page.ts'
import { ownClient } from '../support/actors/providers.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

for (const [width, scheme] of [
  [1280, 'light'],
  [390, 'dark'],
] as const) {
  // proves C280
  test(`at ${width} px (${scheme}) an owner enters a client by keyboard and tests it`, {
    skip: slow,
  }, async (t) => {
    const { baseUrl } = await world(t, { through: 'port' })
    const { page, checkLayout, browserErrors } = await openChromiumPage(t, width, scheme)
    const check = async (state: string): Promise<void> => {
      await checkLayout(`client-${state}`)
      assert.deepEqual(await accessibilityViolations(page), [], state)
    }
    await page.goto(`${baseUrl}/account`)
    await page.getByRole('button', { name: 'Sign in with Google' }).click()
    await page.getByRole('button', { name: 'Ada Lovelace' }).click()
    await page.waitForURL(`${baseUrl}/account`)
    await page.goto(`${baseUrl}/account/new-project`)
    await page.getByLabel('Callback URLs').fill('https://shop.example.com/callback')
    await page.getByRole('button', { name: 'Create project' }).press('Enter')
    await page.getByRole('link', { name: 'Back to the project' }).press('Enter')
    await page
      .getByRole('navigation', { name: 'Project' })
      .getByRole('link', { name: 'Settings' })
      .press('Enter')
    await page.getByRole('link', { name: 'Providers', exact: true }).press('Enter')
    await page.getByRole('link', { name: 'Another OpenID provider' }).waitFor()
    await check('settings')
    await page.getByRole('link', { name: 'Another OpenID provider' }).press('Enter')
    await check('oidc')
    await page.goBack()
    await page
      .getByRole('navigation', { name: 'Your own client' })
      .getByRole('link', { name: 'Google' })
      .press('Enter')
    const { client_id = '', client_secret = '' } = ownClient(baseUrl, 'google')
    await page.getByLabel('Client ID').fill('12345')
    await page.getByLabel('Client secret').fill(client_secret)
    await page.getByRole('button', { name: 'Save client' }).press('Enter')
    await page.getByText('It ends with').waitFor()
    await check('problem')
    assert.match(browserErrors.splice(0).join(), /status of 400/)
    assert.equal(
      await page.evaluate('document.activeElement.name'),
      'client_id',
      'the eye is at the problem',
    )
    assert.equal(await page.getByLabel('Client secret').inputValue(), '')
    await page.getByLabel('Client ID').fill(client_id)
    await page.getByLabel('Client secret').fill(client_secret)
    await page.getByRole('button', { name: 'Save client' }).press('Enter')
    await page.getByText('Client saved').waitFor()
    await check('saved')
    await page.getByRole('button', { name: 'Test sign-in' }).press('Enter')
    await page.getByRole('button', { name: 'Ada Lovelace' }).click()
    await page.getByText('The test sign-in worked').waitFor()
    await check('tested')
    assert.deepEqual(browserErrors, [])
  })
}
