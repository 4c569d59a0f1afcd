import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCallbackApp } from '../support/actors/callback-app.ts'
import { openChromiumPage } from '../support/actors/chromium-page.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

// `npm test` opens a browser only here, once. `npm run test:all` runs every file of this folder.

for (const width of [320, 1280]) {
  // proves C059
  test(`at ${width} px a user signs in to an app`, {
    skip: width === 320 ? false : slow,
  }, async (t) => {
    const here = await world(t, { through: 'port' })
    const app = await startCallbackApp(t, 'Welcome', { anotherOrigin: true })
    const tenant = await here.agent.createTenant([app.callback])
    const { page, checkLayout, browserErrors } = await openChromiumPage(t, width)

    await page.goto(`${tenant.loginUrl}?return_to=/notes`)
    assert.equal(await page.title(), 'Choose an account · Development Google')
    await checkLayout('choose')
    await page.getByRole('button', { name: 'Ada Lovelace' }).click()
    const host = new URL(app.callback).host
    assert.equal(await page.title(), `Sign in to ${host} · Gatehouse`)
    assert.equal(
      (await page.getByRole('heading', { level: 1 }).textContent())?.trim(),
      'Sign in to an app on this computer?',
    )
    await checkLayout('consent')
    await page.getByRole('button', { name: 'Continue' }).click()

    await page.waitForURL(app.page)
    assert.equal(await page.title(), 'Welcome')
    assert.deepEqual(browserErrors, [])
    const [callbackParameters, ...more] = app.received
    assert.deepEqual(more, [])
    assert.equal(callbackParameters?.get('return_to'), '/notes')
    assert.equal(await tenant.isValid(callbackParameters?.get('access_token') ?? ''), true)
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize'])
    const cookies = await page.context().cookies(tenant.loginUrl)
    const ours = cookies.filter(({ name }) => name.startsWith('gatehouse'))
    assert.deepEqual(
      ours.map(({ httpOnly, sameSite }) => ({ httpOnly, sameSite })),
      [{ httpOnly: true, sameSite: 'Lax' }],
    )
  })
}
