import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { devGoogle } from '../../development/google.ts'
import { google } from '../../src/identity/providers/google.ts'
import { openChromiumPage } from '../support/actors/chromium-page.ts'
import { slow } from '../support/tags.ts'
import { listen } from '../support/transport/listen.ts'

const client = { clientId: 'client-1.apps.example', clientSecret: 'development-secret' }
const requestSecrets = { state: 'a-state', nonce: 'a-nonce', codeVerifier: 'v'.repeat(43) }

/** The development Google and the callback of the app on one server, as in development. */
async function startDevProvider(t: TestContext) {
  const { server, port } = await listen(t)
  const origin = `http://localhost:${port}`
  const issuer = `${origin}/dev/google`
  const redirectUri = `${origin}/auth/google/callback`
  const dev = await devGoogle({ issuer, clients: [{ ...client, redirectUris: [redirectUri] }] })
  server.on('request', (req, res) => {
    if (dev.handles(new URL(req.url ?? '', origin).pathname)) {
      dev.listener(req, res)
    } else {
      res.end('Back at the app')
    }
  })
  const provider = google({ issuer, ...client })
  return { provider, start: (await provider.authorizeUrl({ ...requestSecrets, redirectUri })).href }
}

test('a user signs in at the development Google with the keyboard alone', {
  skip: slow,
}, async (t) => {
  const { provider, start } = await startDevProvider(t)
  const { page, browserErrors } = await openChromiumPage(t, 1280)
  await page.goto(start)

  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/auth/google/callback?*')

  const result = await provider.signIn({ ...requestSecrets, currentUrl: new URL(page.url()) })
  assert.equal(result.outcome === 'identified' ? result.profile.email : result, 'grace@example.com')
  // A style or picture that the Content-Security-Policy blocks is reported here.
  assert.deepEqual(browserErrors, [])
})

test('the account chooser fits narrow and wide screens in light and dark mode', {
  skip: slow,
}, async (t) => {
  const { start } = await startDevProvider(t)
  for (const width of [320, 1280]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, checkLayout } = await openChromiumPage(t, width, colorScheme)
      await page.goto(start)
      await checkLayout(`chooser-${colorScheme}`)
      const pictures = await page.evaluate<number[]>(
        '[...document.images].map((image) => image.naturalWidth)',
      )
      assert.equal(pictures.length, 2)
      assert.ok(
        pictures.every((natural) => natural > 0),
        'every picture loads',
      )
      const small = await page.evaluate<string[]>(
        `[...document.querySelectorAll('button, input:not([type=hidden])')]
          .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 44)
          .map((each) => each.outerHTML)`,
      )
      assert.deepEqual(small, [], 'every control is at least 44 px high')
    }
  }
})

test('with cookies blocked the development Google says so', { skip: slow }, async (t) => {
  const { start } = await startDevProvider(t)
  const { page, checkLayout } = await openChromiumPage(t, 320)
  // As a browser that blocks cookies: it stores none and sends none.
  await page.route('**/*', async (route) => {
    const { cookie: _cookie, ...headers } = await route.request().allHeaders()
    await route.continue({ headers })
  })
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Emulation.setDocumentCookieDisabled', { disabled: true })
  await page.goto(start)
  await page.context().clearCookies()
  await page.reload()
  assert.match(
    (await page.textContent('main')) ?? '',
    /no cookies, so they may be blocked\. Allow cookies for this site/,
  )
  await checkLayout('dev-google-no-cookies')
})
