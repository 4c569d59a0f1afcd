import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessibilityViolations, openChromiumPage } from '../support/actors/chromium-page.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

for (const [width, scheme] of [
  [1280, 'light'],
  [390, 'dark'],
] as const) {
  // proves C288
  test(`at ${width} px (${scheme}) the page of a used-up minute counts down, and Try again leads on`, {
    skip: slow,
  }, async (t) => {
    const { agent, browser, clock } = await world(t, { through: 'port' })
    const tenant = await agent.createTenant()
    for (let start = 0; start < 5; start++) {
      await browser().open(tenant.loginUrl)
    }
    clock.advance({ seconds: 18 })
    const plain = await openChromiumPage(t, width, scheme, { javaScriptEnabled: false })
    await plain.page.goto(tenant.loginUrl)
    await plain.page.getByText('Try again in 42 seconds.').waitFor()
    await plain.page.getByRole('link', { name: 'Go to app.example.com' }).waitFor()

    const { page, checkLayout, browserErrors } = await openChromiumPage(t, width, scheme)
    await page.goto(tenant.loginUrl)
    await page.getByText(/Try again in ([123]?\d|4[01]) seconds\./).waitFor()
    await checkLayout('error-minute')
    assert.deepEqual(await accessibilityViolations(page), [])
    clock.advance({ seconds: 40 })
    await page.reload()
    await page.getByText('You can try again now.').waitFor()
    assert.equal(await page.getByRole('status').count(), 1)
    assert.deepEqual(await accessibilityViolations(page), [])
    clock.advance({ seconds: 2 })
    await page.getByRole('link', { name: 'Try again' }).press('Enter')
    await page.getByRole('button', { name: 'Ada Lovelace' }).waitFor()
    assert.equal(
      browserErrors.filter((error) => !error.includes('status of 429')).length,
      0,
      browserErrors.join(),
    )
  })
}
