import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessibilityViolations, openChromiumPage } from '../support/actors/chromium-page.ts'
import { claim } from '../support/actors/claim.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

for (const [width, scheme] of [
  [1280, 'light'],
  [390, 'dark'],
] as const) {
  test(`at ${width} px (${scheme}) the page of a long deletion reloads itself until everything is erased`, {
    skip: slow,
  }, async (t) => {
    const { agent, browser, baseUrl, app } = await world(t, { through: 'port' })
    const tenant = await agent.createTenant()
    await claim(tenant, browser())
    // As a large deletion leaves it: marked as deleted, with rows that the sweep erases.
    await app.ctx.stores.ownership.end(tenant.id, app.ctx.now())
    await app.ctx.stores.resources.markDeleted(tenant.id, app.ctx.now())
    const { page, checkLayout, browserErrors } = await openChromiumPage(t, width, scheme)
    const check = async (state: string): Promise<void> => {
      await checkLayout(`deletion-${state}`)
      assert.deepEqual(await accessibilityViolations(page), [], state)
    }
    await page.goto(`${baseUrl}/account`)
    await page.getByRole('button', { name: 'Sign in with Google' }).click()
    await page.getByRole('button', { name: 'Ada Lovelace' }).click()
    await page.waitForURL(`${baseUrl}/account`)
    // Otherwise it may reload in the middle of the checks.
    const view = '**/account/deletions/**'
    await page.route(view, async (route) => {
      const response = await route.fetch()
      const { refresh, ...headers } = response.headers()
      assert.ok(refresh)
      await route.fulfill({ response, headers })
    })
    await page.goto(`${baseUrl}/account/deletions/${tenant.id}?of=3`)
    await page.getByText('1 of 3 rows').waitFor()
    await check('running')
    await page.unroute(view)
    await page.reload()
    await app.sweep()
    await page.getByText('Everything is erased').waitFor({ timeout: 120_000 })
    await check('over')
    assert.deepEqual(browserErrors, [])
  })
}
