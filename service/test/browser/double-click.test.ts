import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { loginUrl } from '@gatehouse-auth/contract'
import { type ButtonPage, openChromiumButtonPage } from '../support/actors/button-page.ts'
import { startCallbackApp } from '../support/actors/callback-app.ts'
import { openChromiumPage } from '../support/actors/chromium-page.ts'
import { requestClaim } from '../support/actors/claim.ts'
import { openFirefoxPage } from '../support/actors/firefox-page.ts'
import { OAuthClient } from '../support/actors/oauth-client.ts'
import { slow } from '../support/tags.ts'
import { latencyProxy } from '../support/transport/latency-proxy.ts'
import { type World, world } from '../support/world.ts'

/** The second press is sent before the response to the first arrives, so the browser follows the second. */
const LATENCY_MS = 300
const BETWEEN_CLICKS_MS = 150

/** The service behind a network with latency. */
async function distantService(t: TestContext): Promise<{ here: World; posts: string[] }> {
  const proxy = await latencyProxy(t, LATENCY_MS)
  const here = await world(t, { through: 'port', env: { BASE_URL: proxy.url } })
  proxy.forwardTo(here.config.port)
  const posts: string[] = []
  here.app.server.on('request', ({ method, url = '' }) => {
    if (method === 'POST') {
      posts.push(url)
    }
  })
  return { here, posts }
}

const BROWSERS: Record<string, (t: TestContext) => Promise<ButtonPage | null>> = {
  Chromium: openChromiumButtonPage,
  Firefox: openFirefoxPage,
}

for (const [browser, open] of Object.entries(BROWSERS)) {
  test(`in ${browser} a double click on Continue signs in once and ends in the app`, {
    skip: slow,
  }, async (t) => {
    const { here, posts } = await distantService(t)
    const { callback, received } = await startCallbackApp(t, 'Back in the app')
    const tenant = await here.agent.createTenant([callback])
    const page = await open(t)
    if (page === null) {
      return
    }
    await page.goto(loginUrl(here.baseUrl, tenant.id))
    await page.press('Ada Lovelace')
    await page.waitForText('Sign in to an app on this computer')
    await page.pressTwice('Continue', BETWEEN_CLICKS_MS)
    await page.waitForText('Back in the app')
    await page.screenshot('double-click-continue')

    assert.equal(
      posts.filter((url) => url.startsWith('/auth/consent/')).length,
      2,
      'the browser sent both presses',
    )
    assert.equal(
      new Set(received.map(String)).size,
      1,
      'the app received the same result, once or twice',
    )
    assert.equal(await tenant.isValid(received[0]?.get('access_token') ?? ''), true)
    assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize'])
  })

  test(`in ${browser} a double click on Allow grants once and ends in the client`, {
    skip: slow,
  }, async (t) => {
    const { here, posts } = await distantService(t)
    const { callback, received } = await startCallbackApp(t, 'Back in the app')
    const client = await OAuthClient.register(here, {}, callback)
    const page = await open(t)
    if (page === null) {
      return
    }
    await page.goto(client.authorizeUrl())
    await page.press('Sign in with Google')
    await page.press('Ada Lovelace')
    await page.pressTwice('Allow', BETWEEN_CLICKS_MS)
    await page.waitForText('Back in the app')
    await page.screenshot('double-click-allow')

    assert.equal(
      posts.filter((url) => /^\/oauth\/consent\/[^/]+$/.test(url)).length,
      2,
      'the browser sent both presses',
    )
    assert.equal(new Set(received.map(String)).size, 1)
    const code = client.codeIn(new URL(`?${received[0]}`, callback))
    assert.equal((await client.exchange(code)).status, 200)
    assert.equal(
      (await here.app.ctx.stores.oauthGrants.listByAccount(1, here.clock.now())).length,
      1,
    )
  })

  test(`in ${browser} a double click on Approve claims once, and one on Replace keys replaces once`, {
    skip: slow,
  }, async (t) => {
    const { here, posts } = await distantService(t)
    const tenant = await here.agent.createTenant()
    const page = await open(t)
    if (page === null) {
      return
    }
    const { approval_url } = await requestClaim(tenant)
    await page.goto(approval_url)
    await page.press('Continue with Google')
    await page.press('Ada Lovelace')
    await page.waitForText('Use another account')
    await page.pressTwice('Approve', BETWEEN_CLICKS_MS)
    await page.waitForText('This project is yours')
    await page.screenshot('double-click-approve')
    assert.equal(
      posts.filter((url) => url.endsWith('/decide')).length,
      2,
      'the browser sent both presses',
    )
    assert.equal((await tenant.status()).status, 'claimed')

    await page.pressTwice('Replace the keys', BETWEEN_CLICKS_MS)
    await page.waitForText('They work now')
    await page.screenshot('double-click-replace-keys')
    assert.equal(
      posts.filter((url) => url.endsWith('/keys/replace')).length,
      2,
      'the browser sent both presses',
    )
    const [key = ''] = /svc_man_\w+/.exec(await page.text()) ?? []
    assert.equal((await tenant.call('GET', '/api/status', key)).status, 200)
    assert.equal((await page.url()).pathname, `/account/projects/${tenant.id}/keys/new`)
    // The result is a GET: reloading it shows the same keys and replaces nothing.
    await page.goto((await page.url()).href)
    assert.ok((await page.text()).includes(key))
    assert.equal((await here.app.ctx.stores.ownership.keyGeneration(tenant.id)).generation, 1)
  })
}

test('going back to the consent page after Continue leads to the app, within a minute and later', {
  skip: slow,
}, async (t) => {
  const here = await world(t, { through: 'port' })
  const { callback, received } = await startCallbackApp(t, 'Back in the app')
  const tenant = await here.agent.createTenant([callback])
  const { page, checkLayout } = await openChromiumPage(t, 1280)
  await page.goto(tenant.loginUrl)
  await page.getByRole('button', { name: 'Ada Lovelace' }).click()
  await page.waitForURL('**/auth/consent/**')
  const consent = page.url()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Back in the app').waitFor()

  // The browser may restore the page from its back/forward cache, or load it again.
  await page.goBack()
  const restored = page.getByRole('button', { name: 'Continue' })
  if (await restored.isVisible()) {
    await restored.click()
  } else {
    await page.getByRole('link', { name: /^Go to / }).click()
  }
  await page.waitForURL((url) => url.origin === new URL(callback).origin)

  here.clock.advance({ minutes: 2 })
  assert.equal((await page.goto(consent))?.status(), 410)
  await checkLayout('consent-decided')
  await page.getByRole('link', { name: /^Go to / }).click()
  await page.waitForURL((url) => url.origin === new URL(callback).origin)
  assert.equal(new Set(received.map(String)).size, 1, 'the app received one result')
  assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize'])
})
