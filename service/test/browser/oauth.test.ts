import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCallbackApp } from '../support/actors/callback-app.ts'
import { accessibilityViolations, openChromiumPage } from '../support/actors/chromium-page.ts'
import { OAuthClient, tokensOf } from '../support/actors/oauth-client.ts'
import { slow } from '../support/tags.ts'
import { listen } from '../support/transport/listen.ts'
import { world } from '../support/world.ts'

for (const [width, scheme] of [
  [1280, 'light'],
  [320, 'dark'],
] as const) {
  test(`at ${width} px a user authorizes a native client and revokes it in their account`, {
    skip: slow,
  }, async (t) => {
    const here = await world(t, { through: 'port' })
    const {
      callback: redirectUri,
      page: done,
      received,
    } = await startCallbackApp(t, 'Connected', { anotherOrigin: true })
    const registered = new URL(redirectUri)
    registered.port = ''
    const client = await OAuthClient.register(
      here,
      { client_name: 'Claude Code', redirect_uris: [registered.href] },
      redirectUri,
    )
    const { page, browserErrors, checkLayout } = await openChromiumPage(t, width, scheme)
    const check = async (name: string): Promise<void> => {
      await checkLayout(name)
      assert.deepEqual(await accessibilityViolations(page), [], name)
    }

    await page.goto(client.authorizeUrl())
    assert.equal(await page.title(), 'Allow Claude Code? · Gatehouse')
    await check('oauth-signed-out')
    const [top, ...others] = await page.evaluate<number[]>(
      "[...document.querySelectorAll('.actions > button')].map(({ offsetTop }) => offsetTop)",
    )
    assert.ok(
      others.length > 0 && !others.includes(top ?? 0),
      "Google's button has a line of its own",
    )
    await page.getByRole('checkbox', { name: /feedback/ }).uncheck()
    await page.getByRole('button', { name: 'Sign in with Google' }).click()
    await page.getByRole('button', { name: 'Ada Lovelace' }).click()
    await page.waitForURL('**/oauth/consent/**')
    await check('oauth-consent')
    assert.equal(
      await page.getByRole('checkbox', { name: /feedback/ }).isChecked(),
      false,
      'still unticked',
    )
    assert.equal(await page.getByRole('checkbox', { name: /status/ }).isChecked(), true)
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(done)
    assert.deepEqual(browserErrors, [])

    const [response, ...more] = received
    assert.deepEqual(more, [])
    const tokens = tokensOf(await client.exchange(response?.get('code') ?? ''))
    assert.equal(tokens.scope, 'mcp:tenants:create mcp:tenant:read mcp:resources:write')

    await page.goto(`${here.baseUrl}/account`)
    const agent = page.getByRole('listitem').filter({ hasText: 'Claude Code' }).first()
    assert.match((await agent.textContent()) ?? '', /See the status of its projects/)
    await check('oauth-account')
    await agent.getByRole('button', { name: 'Revoke' }).click()
    await page.waitForURL('**/account?done=agent-revoked')
    assert.match((await page.textContent('main')) ?? '', /No agents connected/)
    assert.deepEqual(browserErrors, [])
  })

  test(`at ${width} px a user continues as a guest, and an invalid request is an error page`, {
    skip: slow,
  }, async (t) => {
    const here = await world(t, { through: 'port' })
    const {
      callback: redirectUri,
      page: done,
      received,
    } = await startCallbackApp(t, 'Connected', { anotherOrigin: true })
    const site = 'https://a-very-long-subdomain-of-some-agent.platform.example.com/oauth/callback'
    const client = await OAuthClient.register(
      here,
      {
        client_name: 'An agent with a rather long name that somebody chose',
        redirect_uris: [redirectUri, site],
      },
      redirectUri,
    )
    const { page, browserErrors, checkLayout } = await openChromiumPage(t, width, scheme)
    const check = async (name: string): Promise<void> => {
      await checkLayout(name)
      assert.deepEqual(await accessibilityViolations(page), [], name)
    }
    await page.goto(client.authorizeUrl({ redirect_uri: site }))
    await check('oauth-site')
    await page.goto(client.authorizeUrl())
    for (const box of await page.getByRole('checkbox').all()) {
      await box.uncheck()
    }
    await page.getByRole('button', { name: 'Continue as guest' }).click()
    await page.getByRole('alert').waitFor()
    await check('oauth-nothing-ticked')
    await page.getByRole('checkbox', { name: /Create projects/ }).check()
    await page.getByRole('button', { name: 'Continue as guest' }).click()
    await page.waitForURL(done)
    const tokens = tokensOf(await client.exchange(received[0]?.get('code') ?? ''))
    assert.deepEqual([tokens.principal_type, tokens.scope], ['guest', 'mcp:tenants:create'])

    const wrong = await page.goto(client.authorizeUrl({ redirect_uri: 'https://evil.example/cb' }))
    assert.equal(wrong?.status(), 400)
    await check('oauth-wrong')
    assert.deepEqual(
      browserErrors.filter((error) => !/the server responded with a status of 400/.test(error)),
      [],
    )
  })
}

test('a private-use URI scheme receives the response, and the page it leaves says what was decided', {
  skip: slow,
}, async (t) => {
  const here = await world(t, { through: 'port' })
  const redirectUri = 'cursor://anysphere.cursor-mcp/oauth/callback'
  const client = await OAuthClient.register(here, { client_name: 'Cursor' }, redirectUri)
  const { page, browserErrors, checkLayout } = await openChromiumPage(t, 1280)
  await page.goto(client.authorizeUrl())
  const redirected = page.waitForRequest((request) => request.url().startsWith('cursor:'))
  await page.getByRole('button', { name: 'Continue as guest' }).click()
  assert.match(
    (await redirected).url(),
    /^cursor:\/\/anysphere\.cursor-mcp\/oauth\/callback\?code=mcp_ac_/,
  )
  // There is no program for this scheme here, so the browser stays.
  await page.getByRole('heading', { name: 'Access was given' }).waitFor()
  assert.equal(
    await page.getByRole('link', { name: 'Open the app' }).getAttribute('href'),
    (await redirected).url(),
  )
  assert.equal(browserErrors.filter((error) => error.includes('form-action')).length, 0)
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 800 })
    await checkLayout(`oauth-app-opened-${width}`)
    assert.deepEqual(await accessibilityViolations(page), [])
  }
})

test('a client that opens the consent page in a popup receives the result from it', {
  skip: slow,
}, async (t) => {
  const here = await world(t, { through: 'port' })
  const { port } = await listen(t, (req, res) => {
    const html = req.url?.startsWith('/callback')
      ? '<script>opener.postMessage(location.search, location.origin)</script>'
      : '<script>onmessage = (event) => { document.title = event.data }</script>'
    res.writeHead(200, { 'Content-Type': 'text/html' }).end(`<!doctype html>${html}`)
  })
  const client = await OAuthClient.register(here, {}, `http://127.0.0.1:${port}/callback`)
  const { page } = await openChromiumPage(t, 1280)
  await page.goto(`http://127.0.0.1:${port}/`)
  const opened = page.waitForEvent('popup')
  await page.evaluate(`void window.open(${JSON.stringify(client.authorizeUrl())})`)
  const popup = await opened
  popup.setDefaultTimeout(10_000)
  await popup.getByRole('button', { name: 'Sign in with Google' }).click()
  await popup.getByRole('button', { name: 'Ada Lovelace' }).click()
  await popup.getByRole('button', { name: 'Allow' }).click()
  await page.waitForFunction('document.title.startsWith("?code=")')
})
