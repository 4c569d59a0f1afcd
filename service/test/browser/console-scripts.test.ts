import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { lendAccountCookie } from '../support/actors/account-cookie.ts'
import { accessibilityViolations, openChromiumPage } from '../support/actors/chromium-page.ts'
import { claim, openClaim, requestClaim } from '../support/actors/claim.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

/** The overview of a project without activity, as its owner sees it. */
async function openNewProject(t: TestContext) {
  const { app, agent, browser, baseUrl } = await world(t, { through: 'port' })
  const tenant = await agent.createTenant()
  const owner = browser()
  await openClaim(owner, await requestClaim(tenant), 'Alan Turing')
  // With new keys: those of the guest have been used, which is written within a second.
  await owner.press('Approve', { keys: 'now' })
  const { page } = await openChromiumPage(t, 1280)
  await lendAccountCookie(page.context(), owner, baseUrl)
  await page.goto(`${baseUrl}/account/projects/${tenant.id}`)
  return { app, browser, baseUrl, tenant, owner, page }
}

// proves C285
test('the console shows times in the reader’s time zone with UTC on hover, and UTC without scripts', {
  skip: slow,
}, async (t) => {
  const { agent, browser, baseUrl, clock } = await world(t, { through: 'port' })
  clock.advance({ hours: 8, minutes: 4 })
  const tenant = await agent.createTenant()
  const owner = browser()
  await claim(tenant, owner, 'Alan Turing')
  await tenant.signIn(browser())
  // 20:04 UTC is the next day in Kolkata.
  const { page, browserErrors } = await openChromiumPage(t, 1280, 'light', {
    timezoneId: 'Asia/Kolkata',
  })
  await lendAccountCookie(page.context(), owner, baseUrl)
  for (const path of [
    '/account',
    `/account/projects/${tenant.id}`,
    `/account/projects/${tenant.id}/users`,
  ]) {
    await page.goto(baseUrl + path)
    const time = page.locator('time[datetime^="2026-01-15T20"]').first()
    const [minutes] = /(?<=T20:)\d\d/.exec((await time.getAttribute('datetime')) ?? '') ?? []
    assert.equal(await time.textContent(), `16 Jan 2026, 01:${Number(minutes) + 30}`, path)
    assert.equal(await time.getAttribute('title'), `15 Jan 2026, 20:${minutes} UTC`, path)
    assert.doesNotMatch(
      (await page.locator('main').innerText()).replaceAll(/\(UTC\)/g, ''),
      /UTC/,
      path,
    )
    assert.deepEqual(await accessibilityViolations(page), [], path)
  }
  await page.goto(`${baseUrl}/account/projects/${tenant.id}`)
  const today = page
    .locator('.chart td, .chart th')
    .filter({ has: page.locator('time') })
    .first()
  assert.equal(await today.textContent(), '15 Jan', 'the day of a count stays a UTC day')
  assert.deepEqual(browserErrors, [])

  const plain = await openChromiumPage(t, 390, 'dark', {
    javaScriptEnabled: false,
    timezoneId: 'Asia/Kolkata',
  })
  await lendAccountCookie(plain.page.context(), owner, baseUrl)
  await plain.page.goto(`${baseUrl}/account/projects/${tenant.id}`)
  assert.match(
    (await plain.page.locator('.moment time').first().textContent()) ?? '',
    /^15 Jan 2026, 20:\d\d UTC$/,
  )
})

for (const [width, scheme] of [
  [1280, 'light'],
  [390, 'dark'],
] as const) {
  // proves C286
  test(`at ${width} px (${scheme}) a sign-in in another browser appears on the overview without a reload, until the owner pauses it`, {
    skip: slow,
  }, async (t) => {
    const { app, agent, browser, baseUrl } = await world(t, { through: 'port' })
    const tenant = await agent.createTenant()
    const other = await agent.createTenant()
    const owner = browser()
    await claim(tenant, owner, 'Alan Turing')
    await tenant.signIn(browser(), 'Grace Hopper')
    const { page, checkLayout, browserErrors } = await openChromiumPage(t, width, scheme, {
      timezoneId: 'Asia/Kolkata',
    })
    await lendAccountCookie(page.context(), owner, baseUrl)
    await page.goto(`${baseUrl}/account/projects/${tenant.id}`)
    const rows = page.getByRole('region', { name: 'Recent activity' }).locator('tbody tr')
    const status = page.locator('.live-bar').getByRole('status')
    await waitUntil('the page waits', () => app.ctx.signals.waiting === 1)
    assert.equal(await rows.count(), 1)
    assert.equal(await status.textContent(), 'Live')
    await other.signIn(browser(), 'Alan Turing')
    await tenant.signIn(browser(), 'Ada Lovelace')
    await rows.getByText('ada@example.com').waitFor()
    assert.equal(await status.textContent(), 'Live: 1 new event')
    assert.equal(
      await rows.locator('.event').getByText('Signed in').count(),
      2,
      'one line for each sign-in',
    )
    assert.equal(await rows.getByText('alan@').count(), 0, 'nothing of another project')
    assert.match(
      (await rows.first().locator('time').getAttribute('title')) ?? '',
      /UTC$/,
      'new rows have local times',
    )
    await checkLayout('overview-live')
    assert.deepEqual(await accessibilityViolations(page), [])

    await page.getByRole('button', { name: 'Pause' }).press('Enter')
    await waitUntil('nothing waits', () => app.ctx.signals.waiting === 0)
    await tenant.signIn(browser(), 'Ada Lovelace')
    assert.equal(await status.textContent(), 'Paused: 1 new event')
    assert.equal(await rows.count(), 2)
    await page.getByRole('button', { name: 'Resume' }).press('Enter')
    await page.getByText('Live: 2 new events').waitFor()
    assert.equal(await rows.count(), 3)
    assert.deepEqual(browserErrors, [])
  })
}

// proves C286
test('without activity the overview reloads at the first event; without scripts it offers Refresh', {
  skip: slow,
}, async (t) => {
  const { app, browser, baseUrl, tenant, owner, page } = await openNewProject(t)
  await page.getByText('No activity yet').waitFor()
  await waitUntil('the page waits', () => app.ctx.signals.waiting === 1)
  await tenant.signIn(browser(), 'Ada Lovelace')
  await page.getByRole('region', { name: 'Recent activity' }).getByText('ada@example.com').waitFor()

  const plain = await openChromiumPage(t, 390, 'light', { javaScriptEnabled: false })
  await lendAccountCookie(plain.page.context(), owner, baseUrl)
  await plain.page.goto(`${baseUrl}/account/projects/${tenant.id}`)
  await tenant.signIn(browser(), 'Grace Hopper')
  assert.equal(await plain.page.getByRole('button', { name: 'Pause' }).count(), 0)
  await plain.page.getByRole('link', { name: 'Refresh', exact: true }).click()
  await plain.page.getByRole('link', { name: 'grace@example.com' }).waitFor()
})

// proves C266
test('a framework is chosen without scripts: its step is done, and its commands are below; beside new keys the choice opens a tab', {
  skip: slow,
}, async (t) => {
  const { agent, browser, baseUrl } = await world(t, { through: 'port' })
  const owner = browser()
  await claim(await agent.createTenant(), owner, 'Alan Turing')
  const { page } = await openChromiumPage(t, 390, 'light', { javaScriptEnabled: false })
  await lendAccountCookie(page.context(), owner, baseUrl)
  await page.goto(`${baseUrl}/account/new-project`)
  await page.getByLabel(/^Callback URLs/).fill('http://localhost:3000/auth/callback')
  await page.getByRole('button', { name: 'Create project' }).click()
  const opened = page.waitForEvent('popup')
  await page
    .getByRole('navigation', { name: 'Framework' })
    .getByRole('link', { name: 'Next.js' })
    .click()
  assert.ok(
    await page.getByRole('region', { name: 'The key file' }).isVisible(),
    'the keys are still there',
  )

  const overview = await opened
  await overview.getByRole('heading', { name: 'Choose your framework (done)' }).waitFor()
  const chosen = overview.getByRole('navigation', { name: 'Framework' }).locator('[aria-current]')
  assert.equal(await chosen.textContent(), 'Next.js')
  for (const command of ['set up sign-in', 'install', 'start']) {
    await overview.getByRole('region', { name: `Next.js: ${command}` }).waitFor()
  }

  await overview.getByRole('link', { name: 'Hono' }).click()
  await overview.getByRole('region', { name: 'Hono: install' }).waitFor()
  assert.equal(await overview.getByRole('region', { name: 'Next.js: install' }).count(), 0)
})

test('“Try this sign-in” opens a tab; the first steps give way to the user, whose page shows what the app gets', {
  skip: slow,
}, async (t) => {
  const { app, page } = await openNewProject(t)
  await waitUntil('the page waits', () => app.ctx.signals.waiting === 1)
  const steps = page.getByRole('region', { name: 'First steps' })
  await steps.getByRole('button', { name: /^Copy.*Prompt for a coding agent/ }).waitFor()
  await steps.getByText('Use any OpenID library').click()
  for (const value of ['Issuer', 'Client id']) {
    await steps.getByRole('button', { name: new RegExp(`^Copy.*${value}$`) }).waitFor()
  }
  const opened = page.waitForEvent('popup')
  await steps.getByRole('link', { name: 'Try this sign-in' }).click()
  const tab = await opened
  await tab.getByRole('button', { name: 'Ada Lovelace' }).click()
  await tab.getByRole('button', { name: 'Continue' }).click()
  await page
    .getByRole('region', { name: 'Recent activity' })
    .getByRole('link', { name: 'ada@example.com' })
    .click()
  assert.equal(await steps.count(), 0)
  await page.getByText('What your app gets').click()
  const verified = await page.getByRole('region', { name: 'The response of verify' }).textContent()
  assert.equal(JSON.parse(verified ?? '').user.email, 'ada@example.com')
})
