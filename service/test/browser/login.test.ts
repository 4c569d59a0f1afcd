import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Tenant } from '../support/actors/agent.ts'
import { type CallbackApp, startCallbackApp } from '../support/actors/callback-app.ts'
import { openChromiumPage } from '../support/actors/chromium-page.ts'
import { slow } from '../support/tags.ts'
import { type World, world } from '../support/world.ts'

const WIDTHS = [1280, 320] as const

async function setUp(t: TestContext): Promise<{ here: World; tenant: Tenant; app: CallbackApp }> {
  const here = await world(t, { through: 'port' })
  const app = await startCallbackApp(t, 'Welcome', { anotherOrigin: true })
  return { here, tenant: await here.agent.createTenant([app.callback]), app }
}

for (const width of WIDTHS) {
  // proves C140
  test(`at ${width} px a user cancels, and the app receives access_denied only`, {
    skip: slow,
  }, async (t) => {
    const { tenant, app } = await setUp(t)
    const { page, browserErrors } = await openChromiumPage(t, width)
    await page.goto(tenant.loginUrl)
    await page.getByRole('button', { name: 'Ada Lovelace' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.waitForURL(app.page)
    assert.deepEqual(browserErrors, [])
    assert.deepEqual(
      app.received.map((parameters) => parameters.toString()),
      ['error=access_denied'],
    )
    assert.deepEqual(await tenant.users(), [])
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'consent_denied'])
  })

  test(`at ${width} px the front page and the error pages fit without browser errors`, {
    skip: slow,
  }, async (t) => {
    const { here, tenant } = await setUp(t)
    const { page, checkLayout, browserErrors } = await openChromiumPage(t, width)
    await page.goto(here.baseUrl)
    assert.match(await page.title(), /· Gatehouse$/)
    await checkLayout('front')
    await page.getByRole('link', { name: 'Errors', exact: true }).click()
    assert.match(await page.title(), /· Gatehouse$/)
    await checkLayout('errors')
    assert.deepEqual(browserErrors, [])

    // Chromium logs every response with an error status.
    const wrong = await page.goto(
      `${tenant.loginUrl}?redirect_uri=${encodeURIComponent('https://evil.example/cb')}`,
    )
    assert.equal(wrong?.status(), 400)
    assert.equal(page.url().startsWith(here.baseUrl), true)
    assert.match(await page.title(), /· Gatehouse$/)
    await checkLayout('wrong-address')
    const nowhere = await page.goto(`${here.baseUrl}/nowhere`)
    assert.equal(nowhere?.status(), 404)
    await checkLayout('nowhere')
    assert.equal(
      browserErrors.filter((error) => !/the server responded with a status of 40[04]/.test(error))
        .length,
      0,
    )
    assert.deepEqual(await tenant.eventKinds(), [])
  })
}

test('a user can sign in with the keyboard alone, and the focus is always visible', {
  skip: slow,
}, async (t) => {
  const { tenant, app } = await setUp(t)
  const { page, browserErrors } = await openChromiumPage(t, 1280)
  const tabTo = async (text: string): Promise<void> => {
    for (let presses = 0; presses < 30; presses++) {
      await page.keyboard.press('Tab')
      const focused = page.locator(':focus')
      if ((await focused.count()) === 0) {
        continue
      }
      const outline = await page.evaluate<string>(
        'getComputedStyle(document.activeElement).outlineStyle',
      )
      assert.notEqual(outline, 'none', 'the focus is visible')
      if ((await focused.textContent())?.includes(text)) {
        return
      }
    }
    assert.fail(`“${text}” is not reachable by keyboard on ${await page.title()}`)
  }
  await page.goto(tenant.loginUrl)
  await tabTo('Grace Hopper')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/auth/consent/**')
  await tabTo('Continue')
  await page.keyboard.press('Enter')
  await page.waitForURL(app.page)
  assert.deepEqual(browserErrors, [])
  assert.deepEqual(
    (await tenant.users()).map(({ name }) => name),
    ['Grace Hopper'],
  )
})
