import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lendAccountCookie } from '../support/actors/account-cookie.ts'
import { accessibilityViolations, openChromiumPage } from '../support/actors/chromium-page.ts'
import { claim } from '../support/actors/claim.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

test('the console shows times in the reader’s time zone with UTC on hover, and UTC without scripts', {
  skip: slow,
}, async (t) => {
  const { agent, browser, baseUrl, clock } = await world(t)
  clock.advance({ hours: 8, minutes: 4 })
  const tenant = await agent.createTenant()
  const owner = browser()
  await claim(tenant, owner, 'Alan Turing')
  await tenant.signIn(browser())
  // 20:04 UTC is the next day in Kolkata.
  const { page, browserErrors } = await openChromiumPage(t, 1280, 'light', { timezoneId: 'Asia/Kolkata' })
  await lendAccountCookie(page.context(), owner, baseUrl)
  for (const path of ['/account', `/account/projects/${tenant.id}`, `/account/projects/${tenant.id}/users`]) {
    await page.goto(baseUrl + path)
    const time = page.locator('time[datetime^="2026-01-15T20"]').first()
    const [minutes] = /(?<=T20:)\d\d/.exec((await time.getAttribute('datetime')) ?? '') ?? []
    assert.equal(await time.textContent(), `16 Jan 2026, 01:${Number(minutes) + 30}`, path)
    assert.equal(await time.getAttribute('title'), `15 Jan 2026, 20:${minutes} UTC`, path)
    assert.doesNotMatch((await page.locator('main').innerText()).replaceAll(/\(UTC\)/g, ''), /UTC/, path)
    assert.deepEqual(await accessibilityViolations(page), [], path)
  }
  await page.goto(`${baseUrl}/account/projects/${tenant.id}`)
  const today = page
    .locator('.chart td, .chart th')
    .filter({ has: page.locator('time') })
    .first()
  assert.equal(await today.textContent(), '15 Jan', 'the day of a count stays a UTC day')
  assert.deepEqual(browserErrors, [])

  const plain = await openChromiumPage(t, 390, 'dark', { javaScriptEnabled: false, timezoneId: 'Asia/Kolkata' })
  await lendAccountCookie(plain.page.context(), owner, baseUrl)
  await plain.page.goto(`${baseUrl}/account/projects/${tenant.id}`)
  assert.match((await plain.page.locator('.moment time').first().textContent()) ?? '', /^15 Jan 2026, 20:\d\d UTC$/)
})
