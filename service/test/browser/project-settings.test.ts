import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lendAccountCookie } from '../support/actors/account-cookie.ts'
import { accessibilityViolations, openChromiumPage } from '../support/actors/chromium-page.ts'
import { claim, requestClaim } from '../support/actors/claim.ts'
import { squarePng } from '../support/png.ts'
import { slow } from '../support/tags.ts'
import { receiver } from '../support/webhook-receiver.ts'
import { world } from '../support/world.ts'

for (const [width, scheme] of [
  [1280, 'light'],
  [390, 'dark'],
] as const) {
  // proves C275, C276
  test(`at ${width} px (${scheme}) an owner changes settings with the keyboard, and an error has the focus`, {
    skip: slow,
  }, async (t) => {
    const { agent, baseUrl } = await world(t, { through: 'port' })
    const tenant = await agent.createTenant()
    const { page, checkLayout, browserErrors } = await openChromiumPage(t, width, scheme)
    const check = async (name: string): Promise<void> => {
      await checkLayout(name)
      assert.deepEqual(await accessibilityViolations(page), [], name)
    }
    await page.goto((await requestClaim(tenant)).approval_url)
    await page.getByRole('button', { name: 'Continue with Google' }).click()
    await page.getByRole('button', { name: 'Ada Lovelace' }).click()
    await page.getByRole('button', { name: 'Approve' }).click()

    const open = async (link: string) => {
      await page
        .getByRole('navigation', { name: 'Settings' })
        .getByRole('link', { name: link })
        .click()
      await page
        .getByRole('link', { name: link, exact: true })
        .and(page.locator('[aria-current]'))
        .waitFor()
    }
    await page.goto(`${baseUrl}/account/projects/${tenant.id}/settings`)
    await check('settings')
    for (const link of ['Who can sign in', 'Providers', 'Tokens', 'Callbacks']) {
      await open(link)
      await check(`settings-${link.toLowerCase().replaceAll(' ', '-')}`)
    }
    const callbacks = page.getByLabel('One URL per line')
    await callbacks.fill('https://app.example.com/callback\nhttp://app.example.com/insecure')
    await callbacks.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Line 2:').waitFor()
    assert.equal(await page.evaluate('document.activeElement.name'), 'callback_urls')
    assert.match(await callbacks.inputValue(), /insecure$/)
    await check('settings-rejected')
    assert.match(browserErrors.splice(0).join(), /status of 400/)
    await callbacks.fill('https://app.example.com/callback\nhttps://*.vercel.app/callback')
    await page.getByRole('button', { name: 'Save callback URLs' }).press('Enter')
    await page.getByText('Callback URLs saved.').waitFor()
    await check('settings-saved')
    await page.goBack()
    assert.equal(
      await page.getByLabel('One URL per line').isVisible(),
      true,
      'Back repeats no POST',
    )
    await open('Sign-in pages')
    await page.getByLabel('Add a domain').fill('app.example.com')
    await page.keyboard.press('Enter')
    await page.getByText('Domain added.').waitFor()
    await page.getByLabel('Name of your app').fill('Notes')
    await page.getByRole('radio', { name: 'indigo' }).check()
    const preview = page.getByRole('figure', { name: 'Preview of the consent page' })
    assert.match((await preview.textContent()) ?? '', /Notes/)
    await preview.locator('.accent-indigo').waitFor()
    await page.getByRole('button', { name: 'Save branding' }).press('Enter')
    await page.getByText('Branding saved.').waitFor()
    await page
      .getByLabel('PNG file')
      .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: squarePng(64, [40, 90, 200]) })
    await page.getByRole('button', { name: 'Upload logo' }).press('Enter')
    await page.getByRole('img', { name: 'The logo of Notes' }).waitFor()
    await check('settings-brand')

    const app = await receiver(t)
    await open('Webhooks')
    await page.getByLabel('URL of the endpoint').fill(app.url)
    await page.getByRole('button', { name: 'Add endpoint' }).press('Enter')
    await page.getByText('This secret is shown once.').waitFor()
    await check('webhook-added')
    await page.getByRole('button', { name: 'Send a test' }).press('Enter')
    await page.getByText('The test was delivered').waitFor()
    await page.goto(page.url())
    await check('webhook')

    await page.goto(`${baseUrl}/account`)
    await check('dashboard-with-project')
    await page.getByRole('link', { name: 'New project' }).press('Enter')
    await page.getByLabel('Name').fill('Shop')
    await page.getByLabel('Callback URLs, one per line').fill('http://localhost:3000/callback')
    await check('new-project')
    await page.getByRole('button', { name: 'Create project' }).press('Enter')
    await page.getByText('You can download this file again').waitFor()
    await check('new-project-keys')
    assert.deepEqual(browserErrors, [])
  })
}

test('leaving a changed setting asks first; a saved one is left without a question', {
  skip: slow,
}, async (t) => {
  const { agent, browser, baseUrl } = await world(t, { through: 'port' })
  const tenant = await agent.createTenant()
  const owner = browser()
  await claim(tenant, owner, 'Alan Turing')
  const { page } = await openChromiumPage(t, 1280)
  await lendAccountCookie(page.context(), owner, baseUrl)
  await page.goto(`${baseUrl}/account/projects/${tenant.id}/settings/callbacks`)
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    return dialog.accept()
  })
  const callbacks = page.getByLabel('One URL per line')
  await callbacks.press('End')
  await callbacks.pressSequentially('\nhttps://app.example.com/other')
  await page.getByRole('button', { name: 'Save callback URLs' }).click()
  await page.getByText('Callback URLs saved.').waitFor()
  await page.getByRole('link', { name: 'Tokens' }).click()
  await page.waitForURL('**/settings/tokens')
  assert.deepEqual(asked, [])
  await page.goBack()
  await callbacks.pressSequentially('x')
  await page.getByRole('link', { name: 'Tokens' }).click()
  await page.waitForURL('**/settings/tokens')
  assert.deepEqual(asked, ['beforeunload'])
})
