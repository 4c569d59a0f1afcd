import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { readConfig } from '../../../src/config.ts'
import { identityFor } from '../../../src/identity-for.ts'
import { launchChromium } from '../../support/actors/chromium.ts'
import { listen } from '../../support/transport/listen.ts'
import { newRequestSecrets, ownCredentials } from './stand-in-login.ts'

const KINDS = ['github', 'microsoft', 'apple', 'oidc'] as const

interface Arrival {
  readonly method: string
  readonly cookie: string
  readonly origin: string | undefined
  readonly site: string | undefined
}

/** The stand-ins and the callbacks on one origin, as in development. The start sets a cookie, as a login does. */
async function startService(t: TestContext) {
  const { server, port } = await listen(t)
  const baseUrl = `http://localhost:${port}`
  const read = readConfig({ BASE_URL: baseUrl })
  assert.ok(read.ok)
  const identity = identityFor(read.config, { now: Date.now })
  const { devProvider } = identity
  const arrivals: Arrival[] = []
  const callback = (req: IncomingMessage, res: ServerResponse): void => {
    const { cookie = '', origin, 'sec-fetch-site': site } = req.headers
    arrivals.push({ method: req.method ?? '', cookie, origin, site: String(site) })
    if (req.method === 'POST') res.writeHead(303, { Location: `${req.url}?posted=1` }).end()
    else res.end('Back at the service')
  }
  server.on('request', (req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '', baseUrl)
    if (devProvider?.handles(pathname)) return devProvider.listener(req, res)
    if (pathname !== '/start') return callback(req, res)
    const cookie = 'login=1; HttpOnly; SameSite=Lax; Path=/auth'
    return res.writeHead(302, { 'Set-Cookie': cookie, Location: searchParams.get('to') ?? '' }).end()
  })
  const startOf = async (kind: (typeof KINDS)[number]): Promise<string> => {
    const provider = identity.ownProvider(ownCredentials(baseUrl)[kind])
    const redirectUri = `${baseUrl}/auth/${kind}/callback`
    const url = await provider.authorizeUrl({ ...newRequestSecrets(), redirectUri })
    return `${baseUrl}/start?${new URLSearchParams({ to: url.href })}`
  }
  const browser = await launchChromium()
  t.after(() => browser.close())
  return { baseUrl, browser, startOf, arrivals }
}

test("Chromium posts the development Apple's form without a Lax cookie, and sends the cookie after a 303", async (t) => {
  const { baseUrl, browser, startOf, arrivals } = await startService(t)
  const page = await browser.newPage()
  const errors: string[] = []
  page.on('console', (message) => errors.push(message.text()))
  await page.goto(await startOf('apple'))
  await page.getByRole('button', { name: 'Ada Lovelace' }).click()
  await page.waitForURL(`${baseUrl}/auth/apple/callback?posted=1`)
  assert.deepEqual(arrivals, [
    { method: 'POST', cookie: '', origin: 'null', site: 'cross-site' },
    { method: 'GET', cookie: 'login=1', origin: undefined, site: 'cross-site' },
  ])
  // A script or form that the Content-Security-Policy blocks is reported here.
  assert.deepEqual(errors, [])
})

test("without script the development Apple's form has a button", async (t) => {
  const { baseUrl, browser, startOf, arrivals } = await startService(t)
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
  await page.goto(await startOf('apple'))
  await page.getByRole('button', { name: 'Ada Lovelace' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(`${baseUrl}/auth/apple/callback?posted=1`)
  assert.deepEqual(
    arrivals.map(({ method }) => method),
    ['POST', 'GET'],
  )
})

test('a user signs in at every stand-in in Chromium, whose page fits a narrow screen', async (t) => {
  const { baseUrl, browser, startOf } = await startService(t)
  const screenshots = process.env.SCREENSHOTS ?? join(tmpdir(), 'gatehouse-screenshots')
  for (const kind of KINDS) {
    const page = await browser.newPage({ viewport: { width: 320, height: 800 } })
    const errors: string[] = []
    page.on('console', (message) => errors.push(message.text()))
    await page.goto(await startOf(kind))
    await page.screenshot({ path: join(screenshots, `stand-in-${kind}.png`), fullPage: true })
    assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= 320, kind)
    await page.getByRole('button', { name: 'Grace Hopper' }).click()
    await page.waitForURL(`${baseUrl}/auth/${kind}/callback?*`)
    assert.deepEqual(errors, [], kind)
    await page.close()
  }
})
