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

interface Scene extends ChromiumPage {
  readonly here: World
  readonly tenant: Tenant
  readonly notes: RunningNotes
}

/** The service, the app, and a browser that knows nobody. */
async function scene(t: TestContext, width = 1_000): Promise<Scene> {
  const here = await world(t)
  const tenant = await here.agent.createTenant(null)
  const notes = await startNotes({ port: 0, baseUrl: here.baseUrl, tenantId: tenant.id })
  t.after(() => notes.close())
  await tenant.provision([notes.callbackUrl])
  const visited = await openChromiumPage(t, width, width < 500 ? 'dark' : 'light')
  const { page } = visited
  return {
    ...visited,
    here,
    tenant,
    notes,
    async checkLayout(name) {
      await visited.checkLayout(`notes-${name}`)
      assert.deepEqual(await accessibilityViolations(page), [], name)
    },
  }
}

async function signIn({ page, notes, here }: Scene, person = 'Ada Lovelace'): Promise<void> {
  here.clock.advance({ minutes: 1 })
  await page.getByRole('link', { name: 'Sign in with Google' }).click()
  await page.getByRole('button', { name: person }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(`${notes.url}/**`)
}

async function write({ page }: Scene, text: string): Promise<void> {
  await page.getByLabel('New note').fill(text)
  await page.getByRole('button', { name: 'Keep it' }).click()
  await page.getByText(text).waitFor()
}

for (const width of [1_000, 320]) {
  test(`at ${width} pixels somebody signs in, writes, and signs out`, async (t) => {
    const there = await scene(t, width)
    const { page, notes, tenant, checkLayout, browserErrors } = there
    await page.goto(notes.url)
    await checkLayout('home')
    await signIn(there)
    assert.equal(page.url(), `${notes.url}/notes`, 'no token in the address')
    await checkLayout('empty')
    await write(there, 'Call <b>Charles</b> about the engine & its "cards"')
    await write(there, 'Second')
    await checkLayout('notes')
    const cookies = (await page.context().cookies(notes.url)).filter(({ name }) => name.startsWith('gh_'))
    assert.deepEqual(cookies.map(({ name, httpOnly, sameSite, path: at }) => [name, httpOnly, sameSite, at]).sort(), [
      ['gh_access', true, 'Lax', '/'],
      ['gh_refresh', true, 'Lax', '/'],
    ])
    const refresh = cookies.find(({ name }) => name === 'gh_refresh')?.value ?? ''

    await page.getByRole('button', { name: 'Delete note 2' }).click()
    await page.getByText('Second').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'Sign in with Google' }).waitFor()
    assert.equal(page.url(), `${notes.url}/`)
    await tenant.assertRefreshRejected(refresh, 'invalidRefreshToken')
    await page.goBack()
    await page.waitForURL((url) => url.pathname !== '/notes')
    assert.doesNotMatch(await page.content(), /Charles/, 'Back shows nothing of what was there')
    assert.deepEqual(browserErrors, [])
    const kinds = await tenant.eventKinds()
    assert.deepEqual(kinds.slice(0, 3), ['login_started', 'authorize', 'logout'])
  })
}

test('somebody who says no hears it in a sentence, and can still change their mind', async (t) => {
  const there = await scene(t)
  const { page, notes, tenant, here, checkLayout } = there
  await page.goto(`${notes.url}/notes/7`)
  await page.getByRole('button', { name: 'Ada Lovelace' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.waitForURL(`${notes.url}/sign-in-failed?**`)
  await page.getByText('You did not agree to sign in').waitFor()
  await checkLayout('denied')
  assert.deepEqual(await tenant.eventKinds(), ['login_started', 'consent_denied'])
  here.clock.advance({ minutes: 1 })
  await signIn(there)
  assert.equal(page.url(), `${notes.url}/notes/7`, 'on the way to where they wanted to go')
  await checkLayout('not-found')
})

test('a deep link survives the sign-in, and shows nobody the notes of another', async (t) => {
  const there = await scene(t)
  const { page, notes, here } = there
  await page.goto(notes.url)
  await signIn(there)
  await write(there, 'Only for Ada')
  await page.context().clearCookies()

  here.clock.advance({ minutes: 1 })
  await page.goto(`${notes.url}/notes/1?from=mail`)
  await page.getByRole('button', { name: 'Ada Lovelace' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(`${notes.url}/notes/1?from=mail`)
  await page.getByText('Only for Ada').waitFor()

  await page.context().clearCookies()
  here.clock.advance({ minutes: 1 })
  await page.goto(`${notes.url}/notes/1`)
  await page.getByRole('button', { name: 'Grace Hopper' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'There is nothing here' }).waitFor()
})

test('in the middle of writing the hour passes: the note is kept and nobody notices', async (t) => {
  const there = await scene(t)
  const { page, notes, here, tenant, checkLayout } = there
  await page.goto(notes.url)
  await signIn(there)
  await page.getByLabel('New note').fill('Written across the hour')
  here.clock.advance({ hours: 1, minutes: 1 })
  await page.getByRole('button', { name: 'Keep it' }).click()
  await page.getByText('Written across the hour').waitFor()
  here.clock.advance({ hours: 1, minutes: 1 })
  await page.reload()
  await page.getByText('Your session was renewed just now').waitFor()
  await checkLayout('renewed')
  assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize', 'token_refreshed', 'token_refreshed'])
})

test('many windows at once after the hour: one refresh, and all of them signed in', async (t) => {
  const there = await scene(t)
  const { page, notes, here, tenant } = there
  await page.goto(notes.url)
  await signIn(there)
  here.clock.advance({ hours: 1, minutes: 1 })
  const pages = await Promise.all(Array.from({ length: 6 }, () => page.context().newPage()))
  await Promise.all(pages.map((each) => each.goto(`${notes.url}/notes`)))
  for (const each of pages) assert.equal(await each.getByRole('heading', { level: 1 }).textContent(), 'My notes')
  await page.reload()
  assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'My notes')
  assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize', 'token_refreshed'])
})

test('while the service is away somebody sees a sentence, and is still signed in when it is back', async (t) => {
  const there = await scene(t)
  const { page, notes, here, tenant, checkLayout } = there
  await page.goto(notes.url)
  await signIn(there)
  await here.stop()
  const away = await page.goto(`${notes.url}/notes`)
  assert.equal(away?.status(), 503)
  await page.getByText('You are still signed in').waitFor()
  await checkLayout('away')
  await world(t, { like: here })
  await page.getByRole('link', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'My notes' }).waitFor()
  assert.ok(tenant)
})

test('a callback link from a stranger signs nobody in', async (t) => {
  const there = await scene(t)
  const { page, notes, here, tenant } = there
  const stranger = await tenant.signIn(here.browser(), 'Grace Hopper')
  const planted = new URL(notes.callbackUrl)
  planted.search = new URLSearchParams({
    access_token: stranger.access_token,
    refresh_token: stranger.refresh_token,
    return_to: '/notes',
  }).toString()
  await page.goto(planted.href)
  await page.getByText('was not started in this browser').waitFor()
  assert.deepEqual(await page.context().cookies(notes.url), [])
})
