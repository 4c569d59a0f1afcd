import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Tenant } from '../support/actors/agent.ts'
import { openChromiumPage } from '../support/actors/chromium-page.ts'
import { slow } from '../support/tags.ts'
import { listen } from '../support/transport/listen.ts'
import { type World, world } from '../support/world.ts'

const WIDTHS = [1280, 320] as const

/** An app on localhost. Its callback receives the tokens and redirects to a page of another origin. */
async function startApp(t: TestContext): Promise<{ callback: string; welcome: string; received: URLSearchParams[] }> {
  const received: URLSearchParams[] = []
  const { port: welcomePort } = await listen(t, (req, res) => {
    if (req.url !== '/welcome') return res.writeHead(204).end()
    return res
      .writeHead(200, { 'Content-Type': 'text/html' })
      .end('<!doctype html><title>Welcome</title><link rel="icon" href="data:,"><h1>Welcome</h1>')
  })
  const welcome = `http://localhost:${welcomePort}/welcome`
  const { port } = await listen(t, (req, res) => {
    received.push(new URL(req.url ?? '', 'http://127.0.0.1').searchParams)
    res.writeHead(302, { Location: welcome }).end()
  })
  return { callback: `http://127.0.0.1:${port}/callback`, welcome, received }
}

async function setUp(
  t: TestContext,
): Promise<{ here: World; tenant: Tenant; app: Awaited<ReturnType<typeof startApp>> }> {
  const here = await world(t)
  const app = await startApp(t)
  return { here, tenant: await here.agent.createTenant([app.callback]), app }
}

for (const width of WIDTHS) {
  test(`at ${width} px a user signs in to an app`, async (t) => {
    const { tenant, app } = await setUp(t)
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

    await page.waitForURL(app.welcome)
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

  test(`at ${width} px a user cancels, and the app receives access_denied only`, async (t) => {
    const { tenant, app } = await setUp(t)
    const { page, browserErrors } = await openChromiumPage(t, width)
    await page.goto(tenant.loginUrl)
    await page.getByRole('button', { name: 'Ada Lovelace' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.waitForURL(app.welcome)
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
    assert.equal(await page.title(), 'Sign in with Google, for any app · Gatehouse')
    await checkLayout('front')
    await page.getByRole('link', { name: 'Errors', exact: true }).click()
    assert.match(await page.title(), /· Gatehouse$/)
    await checkLayout('errors')
    assert.deepEqual(browserErrors, [])

    // Chromium logs every response with an error status.
    const wrong = await page.goto(`${tenant.loginUrl}?redirect_uri=${encodeURIComponent('https://evil.example/cb')}`)
    assert.equal(wrong?.status(), 400)
    assert.equal(page.url().startsWith(here.baseUrl), true)
    assert.equal(await page.title(), 'This sign-in link has a wrong return address · Gatehouse')
    await checkLayout('wrong-address')
    const nowhere = await page.goto(`${here.baseUrl}/nowhere`)
    assert.equal(nowhere?.status(), 404)
    await checkLayout('nowhere')
    assert.equal(browserErrors.filter((error) => !/the server responded with a status of 40[04]/.test(error)).length, 0)
    assert.deepEqual(await tenant.eventKinds(), [])
  })
}

test('a user can sign in with the keyboard alone, and the focus is always visible', async (t) => {
  const { tenant, app } = await setUp(t)
  const { page, browserErrors } = await openChromiumPage(t, 1280)
  const tabTo = async (text: string): Promise<void> => {
    for (let presses = 0; presses < 30; presses++) {
      await page.keyboard.press('Tab')
      const focused = page.locator(':focus')
      if ((await focused.count()) === 0) continue
      const outline = await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle')
      assert.notEqual(outline, 'none', 'the focus is visible')
      if ((await focused.textContent())?.includes(text)) return
    }
    assert.fail(`“${text}” is not reachable by keyboard on ${await page.title()}`)
  }
  await page.goto(tenant.loginUrl)
  await tabTo('Grace Hopper')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/auth/consent/**')
  await tabTo('Continue')
  await page.keyboard.press('Enter')
  await page.waitForURL(app.welcome)
  assert.deepEqual(browserErrors, [])
  assert.deepEqual(
    (await tenant.users()).map(({ name }) => name),
    ['Grace Hopper'],
  )
})
