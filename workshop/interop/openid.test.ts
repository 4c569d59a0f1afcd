import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Browser } from '../../service/test/support/actors/browser.ts'
import { unpackedPackages } from '../../service/test/support/actors/debian-program.ts'
import { freshFolder } from '../../service/test/support/postgres/engines.ts'
import { freePort } from '../../service/test/support/transport/free-port.ts'
import {
  overHttp,
  readResponse,
  type Transport,
} from '../../service/test/support/transport/http-transport.ts'
import { type World, world } from '../../service/test/support/world.ts'
import { OPENID_LIBRARIES, type OpenIdLibrary, type Start } from './openid-libraries.ts'
import { serveApp } from './platform.ts'

const USER = /Signed in as ada@example\.com/

for (const library of OPENID_LIBRARIES) {
  test(`${library.title} signs a user in with the configuration of /docs/openid`, async (t) => {
    const start = await library.prepare().catch(String)
    if (typeof start === 'string') {
      return t.skip(`${library.title} can't be had: ${start}`)
    }

    const service = await world(t, {
      through: 'port',
      realTime: true,
      env: { DEV_UNLIMITED: '1' },
    })
    const app = await startApp(t, service, library, start)

    await t.test('a sign-in shows the user', async () => {
      const browser = app.browser()
      await browser.open(app.url)
      assert.match(browser.page.text, /Signed out/)
      await app.signIn(browser)
      await app.happened('login_started', 'authorize')
    })

    await t.test('a cancelled sign-in is shown, and the app starts no other', async () => {
      const browser = app.browser()
      await app.openLogin(browser)
      await browser.press('Ada Lovelace')
      const { origin } = await browser.press('Cancel')
      assert.equal(origin, app.url)
      assert.match(browser.page.text, library.cancelled)
      assert.doesNotMatch(browser.page.text, USER)
      await app.happened('login_started', 'consent_denied')
    })

    const { refreshPath, logout } = library
    if (refreshPath !== undefined) {
      await t.test('a refresh keeps the user', async () => {
        const browser = app.browser()
        await app.signIn(browser)
        await browser.open(app.url + refreshPath)
        assert.match(browser.page.text, USER)
        await app.happened('login_started', 'authorize', 'token_refreshed')
      })
    }

    await t.test('a sign-out ends the session of the app', async () => {
      const browser = app.browser()
      await app.signIn(browser)
      const ended = await app.follow(browser, logout)
      assert.equal(ended.origin, app.url, browser.page.text)
      assert.match(browser.page.text, /Signed out/)
      await app.happened('login_started', 'authorize', ...(logout.isLocal ? [] : ['logout']))
    })

    await t.test('sign-ins in two tabs end with the user signed in', async () => {
      const browser = app.browser()
      const first = await app.openLogin(browser)
      await app.signIn(browser)
      await browser.open(first)
      await browser.press('Ada Lovelace')
      await browser.press('Continue')
      assert.equal(browser.page.url.origin, app.url)
      await app.showsUser(browser)
    })

    for (const offset of library.hasFixedClock ? [] : ['+6m', '-90s']) {
      await t.test(`a sign-in works while the app's clock is off by ${offset}`, async (t) => {
        const env = await movedClock(offset).catch(String)
        if (typeof env === 'string') {
          return t.skip(`faketime can't be had: ${env}`)
        }
        const other = await startApp(t, service, library, start, env)
        await other.signIn(other.browser())
      })
    }
  })
}

/** An app of a new tenant, with the three values that the page names. */
async function startApp(
  t: TestContext,
  service: World,
  library: OpenIdLibrary,
  start: Start,
  moreEnv: Readonly<Record<string, string>> = {},
) {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const tenant = await service.agent.createTenant([url + library.callbackPath])
  const { env, ...command } = await start(port)
  const app = await serveApp(t, {
    ...command,
    url,
    cwd: await freshFolder(),
    env: {
      ISSUER: `${service.baseUrl}/edge/auth/${tenant.id}`,
      CLIENT_ID: tenant.id,
      CLIENT_SECRET: tenant.applicationKey,
      APP_URL: url,
      SESSION_SECRET: 'a-secret-of-at-least-32-characters',
      ...env,
      ...moreEnv,
    },
  })
  t.after(() => t.passed || t.diagnostic(app.output()))

  const follow = async (
    browser: Browser,
    { path, button }: { readonly path: string; readonly button?: string },
  ): Promise<URL> => {
    const opened = await browser.open(url + path.replace('{app}', encodeURIComponent(url)))
    return button === undefined ? opened : browser.press(button)
  }
  const openLogin = async (browser: Browser): Promise<URL> => {
    const chooser = await follow(browser, library.login)
    assert.equal(chooser.origin, service.baseUrl, browser.page.text)
    return chooser
  }
  const showsUser = async (browser: Browser): Promise<void> => {
    await browser.open(url + (library.userPath ?? '/'))
    assert.match(browser.page.text, USER)
  }
  const expected: string[] = []
  return {
    url,
    follow,
    openLogin,
    browser: () =>
      new Browser({
        origins: [service.baseUrl, url],
        transport: library.endsErrorsTwice ? overLenientHttp : overHttp,
        now: service.clock.now,
      }),
    async signIn(browser: Browser): Promise<void> {
      await openLogin(browser)
      await browser.press('Ada Lovelace')
      const callback = await browser.press('Continue')
      assert.equal(callback.origin, url, browser.page.text)
      await showsUser(browser)
    },
    showsUser,
    async happened(...kinds: string[]): Promise<void> {
      expected.push(...kinds)
      assert.deepEqual(await tenant.eventKinds(), expected)
    },
  }
}

/** The variables that move the clock of a program by `offset`, without its deadlines. */
async function movedClock(offset: string): Promise<Record<string, string>> {
  const machine = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu'
  const file = `usr/lib/${machine}/faketime/libfaketimeMT.so.1`
  const root = await unpackedPackages('faketime', ['libfaketime'], file)
  return { LD_PRELOAD: join(root, file), FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: '1' }
}

/** As browsers do, it ignores what comes after a response. */
const overLenientHttp: Transport = (url, { method, headers, body }) =>
  new Promise((resolve, reject) => {
    const options = { method, headers, agent: false, insecureHTTPParser: true }
    httpRequest(url, options, (response) => resolve(readResponse(response)))
      .on('error', reject)
      .end(body ?? undefined)
  })
