import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { createClient } from '../../sdk/src/index.ts'
import { gatehouse } from '../../sdk/src/node.ts'
import { installSdk, packSdk } from '../../sdk/test/support/pack.ts'
import { launchChromium } from '../../service/test/support/actors/chromium.ts'
import { listen } from '../../service/test/support/transport/listen.ts'
import { world } from '../../service/test/support/world.ts'
import { appFolder, build, platformFile } from './platform.ts'

const APP = `import { browserSession } from '@gatehouse-auth/sdk/browser'
import { idTokens } from '@gatehouse-auth/sdk/id-tokens'
import { SessionProvider, SignInButton, UserButton, useIdToken, useUser } from '@gatehouse-auth/sdk/react'
import { createElement as h } from 'react'
import { createRoot } from 'react-dom/client'

function Status() {
  const { status, user, claims, reload } = useUser()
  globalThis.reloadSession = reload
  globalThis.idToken = useIdToken()
  return [h('p', { id: 'status', key: 1 }, status + ' ' + user?.email), h('p', { id: 'role', key: 2 }, claims?.role)]
}
const settings = globalThis.SETTINGS
const session = settings && browserSession(settings)
if (session && location.pathname === '/auth/callback') location.replace(session.completeLogin().location)
else createRoot(document.body).render(
  h(SessionProvider, session ? { session, claims: true, idToken: idTokens({ ...settings, session }) } : { claims: true }, h(Status), h(SignInButton), h(UserButton)),
)`

let chromium: Browser
let bundle: Buffer
before(async () => {
  chromium = await launchChromium()
  const folder = await appFolder()
  await installSdk(await packSdk(), folder)
  await writeFile(join(folder, 'app.js'), APP)
  const args = [
    'app.js',
    '--format',
    'esm',
    '--minify',
    '--file',
    'out.js',
    '--platform',
    'browser',
  ]
  const production = ['--transform.define', 'process.env.NODE_ENV:"production"']
  await build(
    { after: (stop) => after(stop as () => void) } as TestContext,
    folder,
    [platformFile('rolldown/bin/cli.mjs'), ...args, ...production],
    {},
  )
  bundle = await readFile(join(folder, 'out.js'))
})
after(() => chromium?.close())

/** `browser`: without a server, the tokens are in localStorage. */
async function startApp(t: TestContext, kind: 'server' | 'browser') {
  const service = await world(t, { through: 'port' })
  const tenant = await service.agent.createTenant(null)
  const settings = { baseUrl: service.baseUrl, tenantId: tenant.id }
  const page = `<!doctype html><title>App</title><link rel="icon" href="data:,"><body>
<script>globalThis.SETTINGS = ${kind === 'browser' ? JSON.stringify(settings) : 'null'}</script>
<script type="module" src="/app.js"></script>`
  type Res = {
    setHeader(name: string, value: string): unknown
    end(body: string | Buffer): unknown
  }
  const serve = (url: string | undefined, res: Res): unknown => {
    const isScript = url === '/app.js'
    res.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html')
    return res.end(isScript ? bundle : page)
  }
  const guarded = gatehouse({ client: createClient(settings) }, (req, res) =>
    serve(req.url, res as Res),
  )
  const { port } = await listen(
    t,
    (req, res) => void (kind === 'server' ? guarded(req, res) : serve(req.url, res)),
  )
  const app = `http://localhost:${port}`
  await tenant.provision([`${app}/auth/callback`])
  const idTokens = { audiences: ['first', 'second'], claims: { role: 'gärtner' } }
  await tenant.manage('PATCH', '/api/social-login/settings', { id_tokens: idTokens })
  const context = await chromium.newContext()
  t.after(() => context.close())
  const errors: string[] = []
  const open = async (path = '/'): Promise<Page> => {
    const tab = await context.newPage()
    tab.setDefaultTimeout(15_000)
    tab.on('console', (message) => {
      // An ordinary Chromium asks for an icon that the page doesn't name.
      const isAboutIcon = message.location().url.endsWith('/favicon.ico')
      if (message.type() === 'error' && !isAboutIcon) {
        errors.push(message.text())
      }
    })
    tab.on('pageerror', (error) => errors.push(error.message))
    await tab.goto(app + path)
    return tab
  }
  return { service, tenant, app, open, errors }
}

const status = (tab: Page, text: string): Promise<void> =>
  tab.locator('#status', { hasText: text }).waitFor()

async function signIn(tab: Page): Promise<void> {
  await tab.getByText('Sign in with Google').click()
  await tab.getByRole('button', { name: 'Ada Lovelace' }).click()
  await tab.getByRole('button', { name: 'Continue' }).click()
}

for (const kind of ['server', 'browser'] as const) {
  test(`React, ${kind}: useUser has the claims, and useIdToken returns one token per audience, also for concurrent calls`, async (t) => {
    const { open, errors } = await startApp(t, kind)
    const tab = await open()
    await status(tab, 'signedOut undefined')
    assert.equal(await tab.evaluate('idToken()'), null)
    await signIn(tab)
    await tab.locator('#role', { hasText: 'gärtner' }).waitFor()
    const requests: string[] = []
    tab.on(
      'request',
      (request) => /id.token/.test(request.url()) && requests.push(request.method()),
    )
    const tokens = await tab.evaluate(
      'Promise.all([idToken(), idToken("second"), idToken("second")])',
    )
    const audiences = (tokens as string[]).map(
      (token) => JSON.parse(atob(token.split('.')[1] ?? '')).aud,
    )
    assert.deepEqual(audiences, ['first', 'second', 'second'])
    assert.deepEqual(
      requests.filter((method) => method !== 'OPTIONS').length,
      1,
      'the first one is known from the claims',
    )
    await tab.getByRole('button', { name: 'Sign out' }).click()
    await status(tab, 'signedOut undefined')
    assert.equal(await tab.evaluate('idToken()'), null)
    assert.deepEqual(errors, [])
  })
}

test('React: SignInButton returns to the page, UserButton shows the user and signs out, an outage keeps the user', async (t) => {
  const { service, tenant, app, open, errors } = await startApp(t, 'server')
  const tab = await open('/inner?x=1')
  await status(tab, 'signedOut undefined')
  await signIn(tab)
  await tab.waitForURL(`${app}/inner?x=1`)
  await status(tab, 'signedIn ada@example.com')
  await tab.getByText('Ada Lovelace').waitFor()
  assert.equal(await tab.locator('img').count(), 1)
  assert.equal(await tab.getByText('Sign in with Google').count(), 0)

  await tab.getByRole('button', { name: 'Sign out' }).click()
  await status(tab, 'signedOut undefined')
  assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize', 'logout'])
  assert.deepEqual(errors, [])

  service.clock.advance({ minutes: 1 })
  await signIn(tab)
  await status(tab, 'signedIn ada@example.com')
  await service.stop()
  await tab.evaluate('reloadSession()')
  await status(tab, 'unavailable ada@example.com')
})

test('React without a server: a sign-in and a sign-out reach the other tab', async (t) => {
  const { tenant, open, errors } = await startApp(t, 'browser')
  const [one, two] = [await open(), await open()]
  await status(two, 'signedOut undefined')
  await signIn(one)
  await status(one, 'signedIn ada@example.com')
  await status(two, 'signedIn ada@example.com')
  await two.getByRole('button', { name: 'Sign out' }).click()
  await status(one, 'signedOut undefined')
  assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize', 'logout'])
  assert.deepEqual(errors, [])
})
