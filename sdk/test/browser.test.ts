import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import type { Tenant } from '../../service/test/support/actors/agent.ts'
import { launchedChromium } from '../../service/test/support/actors/chromium-page.ts'
import { madeOnce } from '../../service/test/support/made-once.ts'
import { listen } from '../../service/test/support/transport/listen.ts'
import { type World, world } from '../../service/test/support/world.ts'
import { buildSdk } from './support/build.ts'

const builtSdk = madeOnce(buildSdk)

/** A browser-only app: this page for every path, with the built SDK. */
const page = (
  settings: object,
): string => `<!doctype html><title>App</title><link rel="icon" href="data:,">
<script type="module">
import { browserSession } from '/sdk/browser.js'
globalThis.session = browserSession(${JSON.stringify(settings)})
if (location.pathname === '/callback') {
  const outcome = globalThis.session.completeLogin({ home: '/home' })
  if (outcome.ok) location.replace(outcome.location)
  else document.title = outcome.error
}
</script>`

interface Fixture {
  readonly service: World
  readonly tenant: Tenant
  readonly app: string
  readonly context: BrowserContext
  tab(path?: string): Promise<Page>
}

async function createFixture(t: TestContext, { locks = true } = {}): Promise<Fixture> {
  const [chromium, sdk] = await Promise.all([launchedChromium(), builtSdk()])
  const service = await world(t, { through: 'port' })
  const tenant = await service.agent.createTenant(null)
  const { port } = await listen(t, async (req, res) => {
    const name = /^\/sdk\/((?:[a-z-]+\/)?[a-z0-9-]+\.js)$/.exec(req.url ?? '')?.[1]
    if (name !== undefined) {
      return res.setHeader('Content-Type', 'text/javascript').end(await readFile(join(sdk, name)))
    }
    return res
      .setHeader('Content-Type', 'text/html')
      .end(page({ baseUrl: service.baseUrl, tenantId: tenant.id }))
  })
  const app = `http://localhost:${port}`
  await tenant.provision([`${app}/callback`])
  const context = await chromium.newContext()
  t.after(() => context.close())
  if (!locks) {
    await context.addInitScript(
      "Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })",
    )
  }
  return {
    service,
    tenant,
    app,
    context,
    async tab(path = '/') {
      const tab = await context.newPage()
      tab.setDefaultTimeout(15_000)
      await tab.goto(app + path)
      await tab.waitForFunction('globalThis.session')
      return tab
    },
  }
}

async function signIn({ app, tab }: Fixture): Promise<Page> {
  const one = await tab()
  await one.evaluate("session.login({ returnTo: '/inner?x=1' })")
  await one.getByRole('button', { name: 'Ada Lovelace' }).click()
  await one.getByRole('button', { name: 'Continue' }).click()
  await one.waitForURL(`${app}/inner?x=1`)
  await one.waitForFunction('globalThis.session')
  return one
}

const email = (tab: Page): Promise<string> =>
  tab.evaluate('session.user().then((user) => user?.email ?? null)')

test('a browser-only app signs a user in, and logout signs out every tab', async (t) => {
  const fixture = await createFixture(t)
  const one = await signIn(fixture)
  assert.equal(await email(one), 'ada@example.com')
  assert.equal(await one.evaluate('sessionStorage.length'), 0, 'the nonce is removed')
  const two = await fixture.tab()
  assert.equal(await email(two), 'ada@example.com')
  await two.evaluate('session.logout()')
  assert.equal(await email(one), null)
  assert.equal(await one.evaluate('localStorage.length'), 0)
  assert.deepEqual(await fixture.tenant.eventKinds(), ['login_started', 'authorize', 'logout'])
})

for (const locks of [true, false]) {
  test(`${locks ? 'with' : 'without'} navigator.locks five tabs refresh an expired session once`, async (t) => {
    const fixture = await createFixture(t, { locks })
    const one = await signIn(fixture)
    assert.equal(await one.evaluate('navigator.locks !== undefined'), locks)
    const tabs = [one, ...(await Promise.all(Array.from({ length: 4 }, () => fixture.tab())))]
    fixture.service.clock.advance({ hours: 1, minutes: 1 })
    const emails = await Promise.all(tabs.flatMap((tab) => [email(tab), email(tab)]))
    assert.deepEqual(new Set(emails), new Set(['ada@example.com']))
    assert.deepEqual(await fixture.tenant.eventKinds(), [
      'login_started',
      'authorize',
      'token_refreshed',
    ])
  })
}

test('onChange tells every tab of a login, a refresh and a logout', async (t) => {
  const fixture = await createFixture(t)
  const one = await signIn(fixture)
  const two = await fixture.tab()
  for (const tab of [one, two]) {
    await tab.evaluate(
      'globalThis.changes = []; globalThis.stop = session.onChange((status) => changes.push(status))',
    )
  }
  await one.evaluate('session.refresh()')
  await two.waitForFunction('changes.length === 1')
  await two.evaluate('session.logout()')
  await one.waitForFunction('changes.length === 2')
  for (const tab of [one, two]) {
    assert.deepEqual(await tab.evaluate('changes'), ['signedIn', 'signedOut'])
  }
  await one.evaluate('stop()')
  await one.evaluate("localStorage.setItem('gatehouse', '{}')")
  await two.waitForFunction('changes.length === 3')
  assert.deepEqual(await one.evaluate('changes.length'), 2)
})

test('login CSRF: a callback that this browser did not start stores nothing, and its tokens are removed from the URL', async (t) => {
  const fixture = await createFixture(t)
  const attacker = await fixture.tenant.signIn(fixture.service.browser(), 'Grace Hopper')
  const { access_token, refresh_token } = attacker
  const query = new URLSearchParams({ access_token, refresh_token, return_to: '/inner' })
  const tab = await fixture.tab(`/callback?${query}`)
  await tab.waitForFunction("document.title === 'login_not_started'")
  assert.equal(tab.url(), `${fixture.app}/callback`)
  assert.equal(await tab.evaluate('localStorage.length'), 0)
})

test('an ended session and invalid localStorage contents count as signed out', async (t) => {
  const fixture = await createFixture(t)
  const tab = await signIn(fixture)
  const stored = await tab.evaluate<{ accessToken: string; refreshToken: string }>(
    "JSON.parse(localStorage.getItem('gatehouse'))",
  )
  assert.equal(
    await tab.evaluate('session.accessToken()'),
    stored.accessToken,
    'a fresh access token is not refreshed',
  )
  fixture.service.clock.advance({ minutes: 1 })
  await tab.evaluate(
    "localStorage.setItem('gatehouse', JSON.stringify({ ...JSON.parse(localStorage.getItem('gatehouse')), storedAt: 1 }))",
  )
  const renewed = await tab.evaluate('session.accessToken()')
  assert.notEqual(renewed, stored.accessToken, 'an access token older than an hour is refreshed')
  assert.equal(await tab.evaluate('session.accessToken()'), renewed)
  await fixture.tenant.edge('logout', { refresh_token: stored.refreshToken })
  assert.equal(await email(tab), null)
  assert.equal(await tab.evaluate('localStorage.length'), 0)
  for (const invalid of ['{', '[]', 'null', '{"accessToken":1}']) {
    await tab.evaluate(`localStorage.setItem('gatehouse', ${JSON.stringify(invalid)})`)
    assert.equal(await email(tab), null)
    assert.equal(await tab.evaluate('session.refresh()'), null)
  }
})
