import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { identityFor } from '../../src/identity-for.ts'
import {
  newRequestSecrets,
  ownCredentials,
  PROVIDER_KIND_NAMES,
} from '../providers/stand-ins/stand-in-login.ts'
import { openChromiumPage } from '../support/actors/chromium-page.ts'
import { slow } from '../support/tags.ts'
import { listen } from '../support/transport/listen.ts'

/** dev-google.test.ts is about the development Google. */
const KINDS = PROVIDER_KIND_NAMES.filter((kind) => kind !== 'google')

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
    if (req.method === 'POST') {
      res.writeHead(303, { Location: `${req.url}?posted=1` }).end()
    } else {
      res.end('Back at the service')
    }
  }
  server.on('request', (req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '', baseUrl)
    if (devProvider?.handles(pathname)) {
      return devProvider.listener(req, res)
    }
    if (pathname.startsWith('/auth/')) {
      return callback(req, res)
    }
    // A browser may also request /favicon.ico.
    if (pathname !== '/start') {
      return res.writeHead(204).end()
    }
    const cookie = 'login=1; HttpOnly; SameSite=Lax; Path=/auth'
    return res
      .writeHead(302, { 'Set-Cookie': cookie, Location: searchParams.get('to') ?? '' })
      .end()
  })
  const startOf = async (kind: (typeof KINDS)[number]): Promise<string> => {
    const provider = identity.ownProvider(ownCredentials(baseUrl)[kind])
    const redirectUri = `${baseUrl}/auth/${kind}/callback`
    const url = await provider.authorizeUrl({ ...newRequestSecrets(), redirectUri })
    return `${baseUrl}/start?${new URLSearchParams({ to: url.href })}`
  }
  return { baseUrl, startOf, arrivals }
}

test("Chromium posts the development Apple's form without a Lax cookie, and sends the cookie after a 303", {
  skip: slow,
}, async (t) => {
  const { baseUrl, startOf, arrivals } = await startService(t)
  const { page, browserErrors } = await openChromiumPage(t, 1280)
  await page.goto(await startOf('apple'))
  await page.getByRole('button', { name: 'Ada Lovelace' }).click()
  await page.waitForURL(`${baseUrl}/auth/apple/callback?posted=1`)
  assert.deepEqual(arrivals, [
    { method: 'POST', cookie: '', origin: 'null', site: 'cross-site' },
    { method: 'GET', cookie: 'login=1', origin: undefined, site: 'cross-site' },
  ])
  // A script or form that the Content-Security-Policy blocks is reported here.
  assert.deepEqual(browserErrors, [])
})

test("without script the development Apple's form has a button", { skip: slow }, async (t) => {
  const { baseUrl, startOf, arrivals } = await startService(t)
  const { page } = await openChromiumPage(t, 1280, 'light', { javaScriptEnabled: false })
  await page.goto(await startOf('apple'))
  await page.getByRole('button', { name: 'Ada Lovelace' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(`${baseUrl}/auth/apple/callback?posted=1`)
  assert.deepEqual(
    arrivals.map(({ method }) => method),
    ['POST', 'GET'],
  )
})

test('a user signs in at every stand-in in Chromium, whose page fits a narrow screen', {
  skip: slow,
}, async (t) => {
  const { baseUrl, startOf } = await startService(t)
  for (const kind of KINDS) {
    const { page, browserErrors, checkLayout } = await openChromiumPage(t, 320)
    await page.goto(await startOf(kind))
    await checkLayout(`stand-in-${kind}`)
    await page.getByRole('button', { name: 'Grace Hopper' }).click()
    await page.waitForURL(`${baseUrl}/auth/${kind}/callback?*`)
    assert.deepEqual(browserErrors, [], kind)
  }
})
