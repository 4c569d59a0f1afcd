import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { ROOT } from '../../sdk/test/support/build.ts'
import { createFixture } from '../../sdk/test/support/fixture.ts'
import {
  checkGuards,
  checkSignInErrors,
  GREETING,
  GREETING_TEXTS,
  NOTES,
  runLoginJourney,
} from '../../sdk/test/support/login-journey.ts'
import { installSdk, packSdk } from '../../sdk/test/support/pack.ts'
import {
  checkTypes,
  readRecipe,
  type SourceFile,
  writeFiles,
} from '../../sdk/test/support/recipes.ts'
import { Browser } from '../../service/test/support/actors/browser.ts'
import { openChromiumPage } from '../../service/test/support/actors/chromium-page.ts'
import { freePort } from '../../service/test/support/transport/free-port.ts'
import { overHttp } from '../../service/test/support/transport/http-transport.ts'
import { appFolder, build, listenForTwo, PLATFORMS, serveApp } from './platform.ts'
import { GUARDED_ROUTE, NARROW_PROXY, NEXT_DEV, SCAFFOLDS, VITE } from './scaffolds.ts'

let tarball: string
before(async () => {
  tarball = await packSdk()
})

for (const [recipe, scaffold] of Object.entries(SCAFFOLDS)) {
  // proves C131
  test(`the recipe for ${recipe}, in the real framework, signs users in, keeps them signed in, signs them out, and says why a sign-in failed, in two processes`, async (t) => {
    const { url, serve } = await listenForTwo(t)
    const fixture = await createFixture(t, { app: url, callback: '/auth/callback' })
    const folder = await appFolder()
    await installSdk(tarball, folder)
    await writeFiles(folder, [...(await readRecipe(recipe)), ...scaffold.files])
    if (scaffold.build) {
      await build(t, folder, scaffold.build, { ORIGIN: url })
    }
    if (scaffold.typed) {
      await checkTypes(folder, scaffold.typed)
    }
    if (scaffold.check) {
      await build(t, folder, scaffold.check, {})
    }
    const env = { GATEHOUSE_URL: fixture.service.baseUrl, GATEHOUSE_TENANT: fixture.tenant.id }
    const app = await serve({ program: process.execPath, args: scaffold.serve, cwd: folder, env })
    const journey = { url, ...(recipe === 'node' ? GREETING : NOTES) }
    await runLoginJourney(fixture, journey)
    await checkSignInErrors(t, fixture, journey, recipe === 'node' ? GREETING_TEXTS : undefined)
    assert.ok(app.crossed() >= 8, `${app.crossed()} callbacks arrived at the other process`)
    const forwarded = { 'X-Forwarded-Host': 'app.example' }
    const started = await fetch(`${url}/login`, { headers: forwarded, redirect: 'manual' })
    const address = recipe === 'next' ? 'https://app.example' : url
    const sent = new URL(started.headers.get('location') ?? '').searchParams.get('redirect_uri')
    assert.equal(sent, `${address}/auth/callback`, 'only Next.js trusts every proxy')
    await checkGuards(fixture, journey)
    // React Router's server logs every URL, and a failed sign-in has such a parameter.
    const output = app.output().replaceAll(/[?&](sign_in_)?error=/g, '?')
    assert.doesNotMatch(output, /warn|error|⚠|⨯/i, 'no noise on the console')
  })
}

test('requireUser() in Express, in two processes: a visitor signs in and returns to the guarded route, and a script gets 401', async (t) => {
  const { url, serve } = await listenForTwo(t)
  const fixture = await createFixture(t, { app: url, callback: '/auth/callback' })
  const folder = await appFolder()
  await installSdk(tarball, folder)
  await writeFiles(folder, GUARDED_ROUTE)
  const env = { GATEHOUSE_URL: fixture.service.baseUrl, GATEHOUSE_TENANT: fixture.tenant.id }
  const app = await serve({ program: process.execPath, args: ['server.js'], cwd: folder, env })
  const journey = { url, page: '/orders/7?page=2', shows: /Order 7 of ada@example\.com/ }
  assert.equal(await (await fetch(url)).text(), 'Start page', 'other routes are public')
  await runLoginJourney(fixture, journey)
  await checkSignInErrors(t, fixture, journey)
  assert.ok(app.crossed() >= 8, `${app.crossed()} callbacks arrived at the other process`)
  await checkGuards(fixture, journey)
  assert.equal(app.output().trim(), '', 'no noise on the console')
})

test("a page of Next.js outside the proxy's matcher does not spend the session, and a route handler renews it", async (t) => {
  const url = `http://localhost:${await freePort()}`
  const fixture = await createFixture(t, { app: url, callback: '/auth/callback' })
  const { service, tenant, expireAccessTokens } = fixture
  const folder = await appFolder()
  await installSdk(tarball, folder)
  const files = [
    ...(await readRecipe('next')),
    ...(SCAFFOLDS.next?.files ?? []),
    ...NARROW_PROXY,
    ...NEXT_DEV,
  ]
  await writeFiles(folder, files)
  const env = { GATEHOUSE_URL: service.baseUrl, GATEHOUSE_TENANT: tenant.id }
  const app = await serveApp(t, {
    url,
    program: process.execPath,
    args: ['dev.js'],
    cwd: folder,
    env,
  })
  const browser = new Browser({
    origins: [service.baseUrl, url],
    transport: overHttp,
    now: service.clock.now,
  })
  const open = async (path: string): Promise<string> => {
    await browser.open(url + path)
    return browser.page.text
  }

  await open('/notes')
  await browser.press('Ada Lovelace')
  await browser.press('Continue')
  assert.match(await open('/about'), /signedIn ada@example\.com/)
  expireAccessTokens()
  for (let i = 0; i < 2; i++) {
    assert.match(await open('/about'), /expired undefined/)
    service.clock.advance({ minutes: 1 })
  }
  assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize'], 'nothing was rotated')
  assert.match(await open('/api/me'), /"email":"ada@example\.com"/)
  assert.match(await open('/about'), /signedIn ada@example\.com/)
  assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize', 'token_refreshed'])
  const refused = await fetch(`${url}/api/me`, { redirect: 'manual' })
  assert.equal(refused.status, 401)
  await browser.request(`${url}/logout`, {
    method: 'POST',
    headers: { Origin: url },
    body: new URLSearchParams(),
  })
  assert.match(await open('/about'), /signedOut/)
  assert.doesNotMatch(app.output(), /warn|error|⚠|⨯/i, 'no noise on the console')
})

test('the recipe for browsers, built by Vite, signs users in and out in Chromium, says why a sign-in failed, and signs in again from there', async (t) => {
  const url = `http://localhost:${await freePort()}`
  const { service, tenant } = await createFixture(t, { app: url, callback: '/auth/callback' })
  const folder = await appFolder()
  await installSdk(tarball, folder)
  // As `init` fills it in.
  const recipe = (await readRecipe('browser')).map(
    ([name, code]): SourceFile => [
      name,
      code
        .replace('https://login.example.com', service.baseUrl)
        .replace('swift-fox-running-k3qd', tenant.id),
    ],
  )
  await writeFiles(folder, [...recipe, ...VITE.files])
  await checkTypes(folder, VITE.typed ?? [])
  await build(t, folder, VITE.build ?? [], {})
  const args = [...VITE.serve, '--port', new URL(url).port]
  await serveApp(t, { url, program: process.execPath, args, cwd: folder, env: {} })
  const { page, browserErrors } = await openChromiumPage(t, 390)
  const press = (name: string): Promise<void> => page.getByRole('button', { name }).click()
  const start = async (button = 'Sign in'): Promise<void> => {
    service.clock.advance({ minutes: 1 })
    await page.getByRole('button', { name: button, exact: true }).click()
  }
  const signOut = async (): Promise<void> => {
    await press('Sign out')
    await page.getByText('Hello, stranger').waitFor()
  }
  const learns = async (text: string): Promise<void> => {
    await page.getByRole('alert').getByText(text).waitFor()
    assert.equal(page.url(), `${url}/`)
  }
  const isSignedIn = async (email: string): Promise<void> => {
    await page.getByText(`Hello, ${email}`).waitFor()
    assert.equal(page.url(), `${url}/`, 'no token in the URL')
    assert.equal(await page.getByRole('alert').count(), 0)
  }
  const cancelled = 'You did not agree to sign in, so nothing was shared.'
  const failed = 'The sign-in failed, or this app does not accept the account that you chose.'

  await page.goto(url)
  await start()
  await press('Ada Lovelace')
  await press('Cancel')
  await learns(cancelled)
  await start('Sign in again')
  await press('Ada Lovelace')
  await press('Continue')
  await isSignedIn('ada@example.com')

  // A user who is signed in and cancels another sign-in.
  service.clock.advance({ minutes: 1 })
  await page.goto(tenant.loginUrl)
  await press('Grace Hopper')
  await press('Cancel')
  await isSignedIn('ada@example.com')
  await signOut()

  const [ada] = await tenant.users()
  assert.equal(
    (await tenant.manage('POST', `/api/social-login/users/${ada?.id}/block`)).status,
    200,
  )
  await start()
  await press('Ada Lovelace')
  await learns(failed)
  const allowed = await tenant.manage('PATCH', '/api/social-login/settings', {
    allowed_emails: ['grace@example.com'],
  })
  assert.equal(allowed.status, 200, allowed.text)
  await start('Sign in again')
  await press('Alan Turing')
  await learns(failed)
  await start('Sign in again')
  await press('Token exchange fails')
  await learns(failed)

  await start('Sign in again')
  await press('Grace Hopper')
  await page.getByRole('button', { name: 'Continue' }).waitFor()
  const consent = page.url()
  // As in another browser.
  await page.goto(url)
  await page.evaluate(() => sessionStorage.clear())
  await page.goto(consent)
  await press('Continue')
  await learns('This sign-in was not started in this browser, or it took too long.')
  await start('Sign in again')
  await press('Grace Hopper')
  await press('Continue')
  await isSignedIn('grace@example.com')
  await signOut()

  // The login link that the service prints. Its tokens are ignored, and a login of this browser follows.
  service.clock.advance({ minutes: 1 })
  await page.goto(tenant.loginUrl)
  await press('Grace Hopper')
  await press('Continue')
  service.clock.advance({ minutes: 1 })
  await press('Grace Hopper')
  await press('Continue')
  await isSignedIn('grace@example.com')
  assert.deepEqual(await tenant.eventKinds(), [
    ...['login_started', 'consent_denied', 'login_started', 'authorize'],
    ...['login_started', 'consent_denied', 'logout'],
    ...[
      'login_started',
      'login_failed',
      'login_started',
      'login_failed',
      'login_started',
      'login_failed',
    ],
    ...['login_started', 'authorize', 'login_started', 'authorize', 'logout'],
    ...['login_started', 'authorize', 'login_started', 'authorize'],
  ])
  assert.deepEqual(browserErrors, [])
})

test('the README and /docs/recipes name the versions that the tests run', async () => {
  const { dependencies, optionalDependencies } = JSON.parse(
    await readFile(join(PLATFORMS, 'package.json'), 'utf8'),
  )
  const versions: Readonly<Record<string, string>> = { ...dependencies, ...optionalDependencies }
  const [, tested = ''] = (await readFile(join(ROOT, 'sdk/README.md'), 'utf8')).split(
    '## Tested versions',
  )
  const exact = [
    'next',
    '@sveltejs/kit',
    'react-router',
    'astro',
    'nuxt',
    'vite',
    '@oven/bun-linux-aarch64',
    '@deno/linux-arm64-glibc',
  ]
  for (const name of exact) {
    assert.ok(tested.includes(versions[name] ?? '?'), `${name} ${versions[name]}`)
  }
  for (const name of ['express', 'fastify']) {
    const [major, minor] = (versions[name] ?? '').split('.')
    assert.ok(tested.includes(`${major}.${minor}`), `${name} ${versions[name]}`)
  }
  const page = await readFile(join(ROOT, 'service/content/docs/recipes.md'), 'utf8')
  for (const name of [
    'next',
    '@sveltejs/kit',
    'react-router',
    'express',
    'fastify',
    'astro',
    'nuxt',
  ]) {
    const [major, minor] = (versions[name] ?? '').split('.')
    assert.match(
      page,
      new RegExp(`\\| [A-Z][A-Za-z. ]+ ${major}\\.${minor} \\|`),
      `${name} ${versions[name]}`,
    )
  }
})
