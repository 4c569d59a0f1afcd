import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Tenant } from '../../service/test/support/actors/agent.ts'
import {
  accessibilityViolations,
  type ChromiumPage,
  openChromiumPage,
} from '../../service/test/support/actors/chromium-page.ts'
import { type World, world } from '../../service/test/support/world.ts'
import { type RunningNotes, startNotes } from './start.ts'

interface Fixture extends ChromiumPage {
  readonly service: World
  readonly tenant: Tenant
  readonly notes: RunningNotes
}

/** The service, the app, and a browser without cookies. */
async function createFixture(t: TestContext, width = 1_000): Promise<Fixture> {
  const service = await world(t, { through: 'port' })
  const tenant = await service.agent.createTenant(null)
  const notes = await startNotes({ port: 0, baseUrl: service.baseUrl, tenantId: tenant.id })
  t.after(() => notes.close())
  await tenant.provision([notes.callbackUrl])
  const chromium = await openChromiumPage(t, width, width < 500 ? 'dark' : 'light')
  const { page } = chromium
  return {
    ...chromium,
    service,
    tenant,
    notes,
    async checkLayout(name) {
      await chromium.checkLayout(`notes-${name}`)
      assert.deepEqual(await accessibilityViolations(page), [], name)
    },
  }
}

async function signIn({ page, notes, service }: Fixture, user = 'Ada Lovelace'): Promise<void> {
  service.clock.advance({ minutes: 1 })
  await page.getByRole('link', { name: 'Sign in with Google' }).click()
  await page.getByRole('button', { name: user }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(`${notes.url}/**`)
}

async function write({ page }: Fixture, text: string): Promise<void> {
  await page.getByLabel('New note').fill(text)
  await page.getByRole('button', { name: 'Save note' }).click()
  await page.getByText(text).waitFor()
}

for (const width of [1_000, 320]) {
  test(`at ${width} pixels a user signs in, writes notes, and signs out`, async (t) => {
    const fixture = await createFixture(t, width)
    const { page, notes, tenant, checkLayout, browserErrors } = fixture
    await page.goto(notes.url)
    await checkLayout('home')
    await signIn(fixture)
    assert.equal(page.url(), `${notes.url}/notes`, 'no token in the URL')
    await checkLayout('empty')
    await write(fixture, 'Call <b>Charles</b> about the engine & its "cards"')
    await write(fixture, 'Second')
    await checkLayout('notes')
    const cookies = (await page.context().cookies(notes.url)).filter(({ name }) =>
      name.startsWith('gh_'),
    )
    assert.deepEqual(
      cookies
        .map(({ name, httpOnly, sameSite, path: at }) => [name, httpOnly, sameSite, at])
        .sort(),
      [
        [`gh_${tenant.id}_access`, true, 'Lax', '/'],
        [`gh_${tenant.id}_refresh`, true, 'Lax', '/'],
      ],
    )
    const refresh = cookies.find(({ name }) => name === `gh_${tenant.id}_refresh`)?.value ?? ''

    await page.getByRole('button', { name: 'Delete note 2' }).click()
    await page.getByText('Second').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'Sign in with Google' }).waitFor()
    assert.equal(page.url(), `${notes.url}/`)
    await tenant.assertRefreshRejected(refresh, 'invalidRefreshToken')
    await page.goBack()
    await page.waitForURL((url) => url.pathname !== '/notes')
    assert.doesNotMatch(await page.content(), /Charles/, 'the Back button shows no notes')
    assert.deepEqual(browserErrors, [])
    const kinds = await tenant.eventKinds()
    assert.deepEqual(kinds.slice(0, 3), ['login_started', 'authorize', 'logout'])
  })
}

test('a user who denies consent sees the reason, and can sign in afterwards', async (t) => {
  const fixture = await createFixture(t)
  const { page, notes, tenant, service, checkLayout } = fixture
  await page.goto(`${notes.url}/notes/7`)
  await page.getByRole('button', { name: 'Ada Lovelace' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.waitForURL(`${notes.url}/sign-in-failed?**`)
  await page.getByText('You did not agree to sign in').waitFor()
  await checkLayout('denied')
  assert.deepEqual(await tenant.eventKinds(), ['login_started', 'consent_denied'])
  service.clock.advance({ minutes: 1 })
  await signIn(fixture)
  assert.equal(page.url(), `${notes.url}/notes/7`, 'the deep link survives the denied login')
  await checkLayout('not-found')
})

test("a deep link survives the sign-in, and does not show another user's note", async (t) => {
  const fixture = await createFixture(t)
  const { page, notes, service } = fixture
  await page.goto(notes.url)
  await signIn(fixture)
  await write(fixture, 'Only for Ada')
  await page.context().clearCookies()

  service.clock.advance({ minutes: 1 })
  await page.goto(`${notes.url}/notes/1?from=mail`)
  await page.getByRole('button', { name: 'Ada Lovelace' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(`${notes.url}/notes/1?from=mail`)
  await page.getByText('Only for Ada').waitFor()

  await page.context().clearCookies()
  service.clock.advance({ minutes: 1 })
  await page.goto(`${notes.url}/notes/1`)
  await page.getByRole('button', { name: 'Grace Hopper' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
})

test('a note written while the access token expires is saved', async (t) => {
  const fixture = await createFixture(t)
  const { page, notes, service, tenant, checkLayout } = fixture
  await page.goto(notes.url)
  await signIn(fixture)
  await page.getByLabel('New note').fill('Written across the hour')
  service.clock.advance({ hours: 1, minutes: 1 })
  await page.getByRole('button', { name: 'Save note' }).click()
  await page.getByText('Written across the hour').waitFor()
  service.clock.advance({ hours: 1, minutes: 1 })
  await page.reload()
  await page.getByText('Your session was renewed').waitFor()
  await checkLayout('renewed')
  assert.deepEqual(await tenant.eventKinds(), [
    'login_started',
    'authorize',
    'token_refreshed',
    'token_refreshed',
  ])
})

test('concurrent windows with an expired session refresh once, and all stay signed in', async (t) => {
  const fixture = await createFixture(t)
  const { page, notes, service, tenant } = fixture
  await page.goto(notes.url)
  await signIn(fixture)
  service.clock.advance({ hours: 1, minutes: 1 })
  const pages = await Promise.all(Array.from({ length: 6 }, () => page.context().newPage()))
  await Promise.all(pages.map((each) => each.goto(`${notes.url}/notes`)))
  for (const each of pages) {
    assert.equal(await each.getByRole('heading', { level: 1 }).textContent(), 'My notes')
  }
  await page.reload()
  assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'My notes')
  assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize', 'token_refreshed'])
})

test('a user stays signed in through an outage of the service', async (t) => {
  const fixture = await createFixture(t)
  const { page, notes, service, tenant, checkLayout } = fixture
  await page.goto(notes.url)
  await signIn(fixture)
  await service.stop()
  const response = await page.goto(`${notes.url}/notes`)
  assert.equal(response?.status(), 503)
  await page.getByText('You are still signed in').waitFor()
  await checkLayout('unavailable')
  await world(t, { through: 'port', like: service })
  await page.getByRole('link', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'My notes' }).waitFor()
  assert.ok(tenant)
})

test("login CSRF: an attacker's callback link does not sign the user in, but asks who they are", async (t) => {
  const fixture = await createFixture(t)
  const { page, notes, service, tenant } = fixture
  const attacker = await tenant.signIn(service.browser(), 'Grace Hopper')
  const forged = new URL(notes.callbackUrl)
  forged.search = new URLSearchParams({
    access_token: attacker.access_token,
    refresh_token: attacker.refresh_token,
    return_to: '/notes',
  }).toString()
  await page.goto(forged.href)
  const ada = page.getByRole('button', { name: 'Ada Lovelace' })
  await ada.waitFor()
  const cookies = await page.context().cookies(notes.url)
  assert.deepEqual(
    cookies
      .map(({ name }) => name.replace(/[\w-]{8}$/, ''))
      .filter((name) => name.startsWith('gh_')),
    [`gh_${tenant.id}_login_`],
    'the cookie of a new login, and no session',
  )
  service.clock.advance({ minutes: 1 })
  await ada.click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'My notes' }).waitFor()
  assert.match(await page.content(), /ada@example\.com|Ada Lovelace/)
})
