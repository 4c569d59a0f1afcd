import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Pair } from '../support/actors/agent.ts'
import { openChromiumPage } from '../support/actors/chromium-page.ts'
import { openClaim, requestClaim } from '../support/actors/claim.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

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
  for (let refreshed = 0; refreshed < 4; refreshed++) pair = await tenant.refresh(pair.refresh_token)

  await go.click()
  await page.waitForURL(/until=/)
  assert.equal((await page.reload())?.status(), 429)
  await page.goto(`${here.baseUrl}/status`)
  await page.goBack()
  await go.waitFor()
  here.clock.advance({ minutes: 1 })
  assert.equal((await page.reload())?.status(), 200, 'the minute is over')
})
