import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../../service/test/support/actors/chromium.ts'
import { listen } from '../../service/test/support/transport/listen.ts'
import { world } from '../../service/test/support/world.ts'
import { APPS, BROWSER_LIBRARY } from './openid-libraries.ts'

// oidc-client-ts, the base of react-oidc-context: a public client, whose tokens are in the page.

const FILES: Readonly<Record<string, readonly [type: string, path: string]>> = {
  '/app.js': ['text/javascript', BROWSER_LIBRARY.file],
  '/oidc-client-ts.js': [
    'text/javascript',
    'node_modules/oidc-client-ts/dist/esm/oidc-client-ts.js',
  ],
  '/jwt-decode.js': ['text/javascript', 'node_modules/jwt-decode/build/esm/index.js'],
}
const PAGE = ['text/html', 'oidc-client-ts/index.html'] as const

let chromium: Browser
before(async () => {
  chromium = await launchChromium()
})
after(() => chromium?.close())

async function startApp(t: TestContext, clockOffsetMs = 0) {
  const service = await world(t, {
    through: 'port',
    realTime: true,
    env: { DEV_UNLIMITED: '1' },
  })
  const tenant = await service.agent.createTenant(null)
  const settings = {
    ISSUER: `${service.baseUrl}/edge/auth/${tenant.id}`,
    CLIENT_ID: tenant.id,
  }
  const { port } = await listen(t, async (req, res) => {
    if (req.url === '/settings.json') {
      res.end(JSON.stringify(settings))
      return
    }
    const [type, path] = FILES[req.url ?? ''] ?? PAGE
    res.setHeader('Content-Type', type)
    res.end(await readFile(join(APPS, path)))
  })
  const app = `http://localhost:${port}`
  await tenant.provision([`${app}/callback`])
  const context = await chromium.newContext()
  t.after(() => context.close())
  await context.addInitScript(`
    const now = Date.now
    Date.now = () => now() + ${clockOffsetMs}`)
  const errors: string[] = []
  const open = async (): Promise<Page> => {
    const tab = await context.newPage()
    tab.setDefaultTimeout(15_000)
    tab.on('pageerror', (error) => errors.push(error.message))
    await tab.goto(app)
    return tab
  }
  return { tenant, open, errors }
}

const status = (tab: Page, text: string): Promise<void> =>
  tab.locator('#status', { hasText: text }).waitFor()

async function signIn(tab: Page): Promise<void> {
  await tab.locator('#sign-in').click()
  await tab.getByRole('button', { name: 'Ada Lovelace' }).click()
  await tab.getByRole('button', { name: 'Continue' }).click()
  await status(tab, 'Signed in as ada@example.com')
}

test('oidc-client-ts in Chromium signs in, refreshes, shows a cancelled sign-in and signs out', async (t) => {
  const { tenant, open, errors } = await startApp(t)
  const tab = await open()
  await status(tab, 'Signed out')
  await tab.locator('#sign-in').click()
  await tab.getByRole('button', { name: 'Ada Lovelace' }).click()
  await tab.getByRole('button', { name: 'Cancel' }).click()
  await status(tab, 'Sign-in failed: The person cancelled the sign-in.')

  await signIn(tab)
  await tab.locator('#refresh').click()
  await status(tab, 'Signed in as ada@example.com')
  await tab.locator('#sign-out').click()
  await status(tab, 'Signed out')
  assert.deepEqual(await tenant.eventKinds(), [
    'login_started',
    'consent_denied',
    'login_started',
    'authorize',
    'token_refreshed',
    'logout',
  ])
  assert.deepEqual(errors, [])
})

for (const minutes of [6, -1.5]) {
  test(`oidc-client-ts: a sign-in works while the clock of the page is off by ${minutes} minutes`, async (t) => {
    const { open, errors } = await startApp(t, minutes * 60_000)
    await signIn(await open())
    assert.deepEqual(errors, [])
  })
}

test('oidc-client-ts: two tabs that refresh with the same token at once both keep their user', async (t) => {
  const { open, errors } = await startApp(t)
  const first = await open()
  await signIn(first)
  const second = await open()
  // Its tokens are in the session storage of a tab; a duplicated tab begins with a copy.
  const stored = await first.evaluate('JSON.stringify(sessionStorage)')
  await second.evaluate(`Object.assign(sessionStorage, ${stored})`)
  await second.reload()
  await status(second, 'Signed in as ada@example.com')

  await Promise.all([first, second].map((tab) => tab.locator('#refresh').click()))
  await status(first, 'Signed in as ada@example.com')
  await status(second, 'Signed in as ada@example.com')
  await second.locator('#refresh').click()
  await status(second, 'Signed in as ada@example.com')
  assert.deepEqual(errors, [])
})
