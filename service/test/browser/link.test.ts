import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCallbackApp } from '../support/actors/callback-app.ts'
import { openChromiumPage } from '../support/actors/chromium-page.ts'
import { putProvider } from '../support/actors/providers.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

for (const width of [390, 1280]) {
  // proves C201
  test(`at ${width} px a user adds a GitHub account in the browser of the sign-in, and another browser adds none`, {
    skip: slow,
  }, async (t) => {
    const here = await world(t, { through: 'port' })
    const app = await startCallbackApp(t, 'Welcome', { anotherOrigin: true })
    const tenant = await here.agent.createTenant([app.callback])
    await putProvider(tenant, 'github', { mode: 'shared' })
    const { page, checkLayout, browserErrors } = await openChromiumPage(t, width)
    await page.goto(tenant.loginUrl)
    await page.getByRole('button', { name: 'Ada Lovelace' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL(app.page)
    const access_token = app.received[0]?.get('access_token') ?? ''
    const { link_url } = (await tenant.edge('link', { access_token, provider: 'github' })).json

    // The attacker's link in the browser of a victim.
    const victim = await openChromiumPage(t, width)
    await victim.page.goto(link_url)
    assert.equal(await victim.page.title(), 'Sign in to the app first · Gatehouse')
    await victim.checkLayout('another browser')

    await page.goto(link_url)
    await page.getByRole('button', { name: 'Grace Hopper' }).click()
    assert.equal(await page.title(), 'Add this GitHub account? · Gatehouse')
    const text = (await page.textContent('main')) ?? ''
    assert.match(text, /ada@example\.com.*grace@example\.com/s)
    await checkLayout('link')
    const shots = process.env.LINK_SHOTS
    for (const colorScheme of shots === undefined ? [] : (['light', 'dark'] as const)) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: `${shots}/link-${width}-${colorScheme}.png`, fullPage: true })
      await victim.page.emulateMedia({ colorScheme })
      await victim.page.screenshot({
        path: `${shots}/other-${width}-${colorScheme}.png`,
        fullPage: true,
      })
    }
    await page.getByRole('button', { name: 'Add account' }).click()
    await page.waitForURL(app.page)
    assert.deepEqual(
      app.received.map((received) => received.get('linked')),
      [null, 'github'],
    )
    assert.deepEqual(browserErrors, [])
    const { user } = (await tenant.manage('GET', '/api/social-login/users/1?include=identities'))
      .json
    assert.equal(user.identities.length, 2)
  })
}
