import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openChromiumPage } from '../support/actors/chromium-page.ts'
import { requestClaim } from '../support/actors/claim.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

// proves C289
test('with scripts disabled an owner signs in, claims a project, opens every tab, saves a setting and ends a session', {
  skip: slow,
}, async (t) => {
  const { agent, browser } = await world(t, { through: 'port' })
  const tenant = await agent.createTenant()
  const { refresh_token } = await tenant.signIn(browser(), 'Grace Hopper')
  const { page, checkLayout, browserErrors } = await openChromiumPage(t, 390, 'light', {
    javaScriptEnabled: false,
  })
  await page.goto((await requestClaim(tenant)).approval_url)
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  await page.getByRole('button', { name: 'Ada Lovelace' }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('link', { name: 'Go to your account' }).click()
  await page.getByRole('link', { name: 'app.example.com' }).first().click()

  const tabs = page.getByRole('navigation', { name: 'Project' })
  for (const tab of ['Overview', 'Users', 'Sessions', 'Settings', 'Keys', 'Danger']) {
    await tabs.getByRole('link', { name: tab }).click()
    await tabs.locator('[aria-current=page]').filter({ hasText: tab }).waitFor()
    await checkLayout(`without-scripts-${tab}`)
  }
  await tabs.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Callbacks' }).click()
  await page
    .getByLabel('One URL per line')
    .fill('https://app.example.com/callback\nhttps://app.example.com/other')
  await page.getByRole('button', { name: 'Save callback URLs' }).click()
  await page.getByText('Callback URLs saved.').waitFor()
  await tabs.getByRole('link', { name: 'Sessions' }).click()
  await page.getByRole('button', { name: 'End this session' }).click()
  await page.getByText('Session ended.').waitFor()
  await tenant.assertRefreshRejected(refresh_token, 'invalidRefreshToken')
  await tabs.getByRole('link', { name: 'Overview' }).click()
  await page.getByRole('link', { name: '7 days' }).click()
  await page.getByRole('region', { name: 'Recent activity' }).getByText('Signed out').waitFor()
  assert.deepEqual(browserErrors, [])
})
