import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import type { Pair } from '../support/actors/agent.ts'
import { openChromiumPage } from '../support/actors/chromium-page.ts'
import { openClaim, requestClaim } from '../support/actors/claim.ts'
import { OAuthClient } from '../support/actors/oauth-client.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

// proves C277
test('after a decision about a claim that came too late, Back and Reload show the page and send nothing again', {
  skip: slow,
}, async (t) => {
  const here = await world(t, { through: 'port' })
  const request = await requestClaim(await here.agent.createTenant())
  const { page } = await openChromiumPage(t, 390)
  await page.goto(request.approval_url)
  await page.getByRole('button', { name: /Google/ }).click()
  await page.getByRole('button', { name: 'Ada Lovelace' }).click()
  const approve = page.getByRole('button', { name: 'Approve' })
  await approve.waitFor()
  const faster = here.browser()
  await openClaim(faster, request, 'Grace Hopper')
  await faster.press('Approve')

  await approve.click()
  const title = page.getByRole('heading', { name: /already|another account/i })
  await title.waitFor()
  assert.equal((await page.reload())?.request().method(), 'GET')
  await page
    .getByRole('link', { name: /account/i })
    .first()
    .click()
  await page.waitForURL('**/account')
  await page.goBack()
  await title.waitFor()
})

// proves C277
test('after a used-up minute on the consent page, Back and Reload show the page and send nothing again', {
  skip: slow,
}, async (t) => {
  const here = await world(t, { through: 'port' })
  const tenant = await here.agent.createTenant()
  let pair: Pair = await tenant.signIn(here.browser(), 'Alan Turing')
  const { page } = await openChromiumPage(t, 390)
  await page.goto(tenant.loginUrl)
  await page.getByRole('button', { name: 'Ada Lovelace' }).click()
  const go = page.getByRole('button', { name: 'Continue' })
  await go.waitFor()
  for (let refreshed = 0; refreshed < 2; refreshed++) {
    pair = await tenant.refresh(pair.refresh_token)
  }

  await go.click()
  await page.waitForURL(/until=/)
  assert.equal((await page.reload())?.status(), 429)
  await page.goto(`${here.baseUrl}/status`)
  await page.goBack()
  await go.waitFor()
  here.clock.advance({ minutes: 1 })
  assert.equal((await page.reload())?.status(), 200, 'the minute is over')
})

/** The page shows this now. Left and come back to by Back, and reloaded, it sends no form again. */
async function assertRepeatsNoPost(page: Page, baseUrl: string, shown: Locator): Promise<void> {
  await shown.waitFor()
  await page.goto(`${baseUrl}/status`)
  await page.goBack()
  await page.getByRole('heading').first().waitFor()
  assert.equal((await page.reload())?.request().method(), 'GET')
}

// proves C277
test('after a refused press on /me, Back and Reload show the page and send nothing again', {
  skip: slow,
}, async (t) => {
  const { baseUrl } = await world(t, { through: 'port' })
  const { page } = await openChromiumPage(t, 390)
  await page.goto(`${baseUrl}/me`)
  await page.evaluate("document.querySelector('[name=provider]').value = 'none'")
  const signIn = page.getByRole('button', { name: /Google/ })
  await signIn.click()
  await assertRepeatsNoPost(page, baseUrl, page.getByRole('heading', { name: /doesn’t work/ }))
  await signIn.waitFor()
})

// proves C277
test('after rejected feedback, Back and Reload show the form and send nothing again', {
  skip: slow,
}, async (t) => {
  const { agent, baseUrl } = await world(t, { through: 'port' })
  const { page } = await openChromiumPage(t, 390)
  await page.goto((await requestClaim(await agent.createTenant())).approval_url)
  await page.getByRole('button', { name: /Google/ }).click()
  await page.getByRole('button', { name: 'Ada Lovelace' }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.goto(`${baseUrl}/feedback`)
  await page.getByLabel('Your message').fill('  ')
  await page.getByRole('button', { name: 'Send' }).click()
  await assertRepeatsNoPost(page, baseUrl, page.getByRole('alert'))
  await page.getByLabel('Your message').waitFor()
})

// proves C277
test('after Allow without a scope, Back and Reload show the page and send nothing again', {
  skip: slow,
}, async (t) => {
  const here = await world(t, { through: 'port' })
  const client = await OAuthClient.register(here)
  const { page } = await openChromiumPage(t, 390)
  await page.goto(client.authorizeUrl())
  await page.getByRole('button', { name: /Google/ }).click()
  await page.getByRole('button', { name: 'Ada Lovelace' }).click()
  const allow = page.getByRole('button', { name: 'Allow' })
  await allow.waitFor()
  for (const box of await page.getByRole('checkbox').all()) {
    await box.uncheck()
  }
  await allow.click()
  await page.waitForURL(/scope=none/)
  await assertRepeatsNoPost(page, here.baseUrl, page.getByRole('alert'))
  await allow.waitFor()
})
