import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  accessibilityViolations,
  launchedChromium,
  openChromiumPage,
} from '../support/actors/chromium-page.ts'
import { CLIENT_ID, scriptedProvider } from '../support/faults/scripted-provider.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

test('a Copy button copies the whole code block, by mouse or keyboard, and says so', {
  skip: slow,
}, async (t) => {
  const { baseUrl } = await world(t, { through: 'port' })
  const { page, browserErrors } = await openChromiumPage(t, 1280)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${baseUrl}/docs/recipes/node`)
  const button = page.getByRole('button', { name: /^Copy.*server\.js$/ })
  await button.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^Copied/ }).waitFor()
  const copied = await page.evaluate<string>('navigator.clipboard.readText()')
  const file = await (await fetch(`${baseUrl}/docs/recipes/node/server.js`)).text()
  assert.equal(copied.trim(), file.trim())
  assert.deepEqual(await accessibilityViolations(page), [])
  assert.deepEqual(browserErrors, [])
})

/** Whether a click at any of nine points of the panel hits the panel. */
const IS_PANEL_ON_TOP = `(() => {
  const panel = document.querySelector('.search-panel')
  const { left, top, width, height } = panel.getBoundingClientRect()
  const parts = [0.05, 0.5, 0.95]
  return parts.every((x) =>
    parts.every((y) => panel.contains(document.elementFromPoint(left + x * width, top + y * height))),
  )
})()`

// proves C294
test('search shows results while the user types, and the keyboard alone opens one', {
  skip: slow,
}, async (t) => {
  const { baseUrl } = await world(t, { through: 'port' })
  const { page, browserErrors } = await openChromiumPage(t, 1280)
  await page.goto(`${baseUrl}/docs/sessions`)
  await page.keyboard.press('/')
  const input = page.getByRole('searchbox')
  assert.equal(await page.evaluate('document.activeElement.type'), 'search')
  await input.fill('webhook signature')
  const first = page.locator('.search-panel .results a').first()
  await first.waitFor()
  assert.equal(await first.getAttribute('href'), '/docs/webhooks#receive-events')
  assert.equal(await page.evaluate(IS_PANEL_ON_TOP), true, 'nothing is painted over the results')
  assert.deepEqual(await accessibilityViolations(page), [])
  await page.keyboard.press('Escape')
  assert.equal(await first.isVisible(), false)
  await input.fill('signature webhook')
  await first.waitFor()
  // Past the button of the form.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/docs/webhooks#receive-events')
  assert.deepEqual(browserErrors, [])
})

// proves C295
test('without scripts, search and menus work and nothing offers to copy', {
  skip: slow,
}, async (t) => {
  const { baseUrl } = await world(t, { through: 'port' })
  const context = await (await launchedChromium()).newContext({
    javaScriptEnabled: false,
    viewport: { width: 390, height: 800 },
  })
  t.after(() => context.close())
  const page = await context.newPage()
  await page.goto(`${baseUrl}/docs/sessions`)
  assert.equal(await page.getByRole('button', { name: /Copy/ }).count(), 0)
  await page.locator('summary', { hasText: 'On this page' }).click()
  await page
    .getByRole('navigation', { name: 'On this page' })
    .getByRole('link', { name: 'Refresh' })
    .click()
  await page.waitForURL('**/docs/sessions#refresh')
  await page.locator('summary', { hasText: 'All pages' }).click()
  await page
    .getByRole('navigation', { name: 'Documentation' })
    .getByRole('link', { name: 'Limits' })
    .click()
  await page.waitForURL('**/docs/limits')
  await page.getByRole('searchbox').fill('invalid redirect_uri')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('link', { name: 'invalidRedirectUri' }).click()
  await page.waitForURL('**/docs/errors#invalidRedirectUri')
})

test('the first stop of the keyboard skips to the content', { skip: slow }, async (t) => {
  const { baseUrl } = await world(t, { through: 'port' })
  const { page } = await openChromiumPage(t, 1280)
  await page.goto(`${baseUrl}/docs/sessions`)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/docs/sessions#content')
})

test('a printed page has its text and whole commands, and no menus, buttons or footer', {
  skip: slow,
}, async (t) => {
  const { baseUrl } = await world(t, { through: 'port' })
  const { page } = await openChromiumPage(t, 1280)
  await page.emulateMedia({ media: 'print' })
  await page.goto(`${baseUrl}/docs/recipes/node`)
  await page.locator('.copyable').first().waitFor()
  for (const hidden of ['.copy', 'header nav', 'footer', '.docs-side', '.contents']) {
    assert.equal(await page.locator(`${hidden}:visible`).count(), 0, hidden)
  }
  await page.getByRole('heading', { level: 1 }).waitFor()
  assert.equal(
    await page.evaluate("getComputedStyle(document.querySelector('pre')).whiteSpace"),
    'pre-wrap',
  )
})

test('the API reference of a development service sends an example with a key that the visitor enters, and shows the response and the command without the key', {
  skip: slow,
}, async (t) => {
  const { baseUrl, agent } = await world(t, { through: 'port' })
  const tenant = await agent.createTenant()
  const { page, browserErrors } = await openChromiumPage(t, 1280)
  await page.goto(`${baseUrl}/docs/api/tenants`)
  const attempt = page.locator('#readStatus ~ .try').first()
  await attempt.locator('summary').click()
  await attempt.getByLabel('Management key').fill(tenant.key)
  await attempt.getByRole('button', { name: 'Send the request' }).click()
  const response = attempt.getByRole('region', { name: '200' })
  await response.waitFor()
  assert.equal(JSON.parse((await response.textContent()) ?? '').tenant_id, tenant.id)
  const command =
    (await attempt.getByRole('region', { name: 'The same as a command' }).textContent()) ?? ''
  assert.match(
    command,
    /curl -A my-agent -X GET '.*\/api\/status' \\\n {2}-H "Authorization: Bearer \$MANAGEMENT_KEY"/,
  )
  assert.equal(command.includes(tenant.key), false)
  assert.deepEqual(await accessibilityViolations(page), [])
  assert.deepEqual(browserErrors, [])
})

test('the API reference of a service with a real Google client offers no request', {
  skip: slow,
}, async (t) => {
  const { issuer } = await scriptedProvider(t)
  const google = {
    GOOGLE_CLIENT_ID: CLIENT_ID,
    GOOGLE_CLIENT_SECRET: 'a-client-secret',
    GOOGLE_ISSUER: issuer,
  }
  const { baseUrl } = await world(t, { through: 'port', env: google })
  const { page } = await openChromiumPage(t, 1280)
  await page.goto(`${baseUrl}/docs/api/tenants`)
  await page.getByRole('button', { name: /^Copy/ }).first().waitFor()
  assert.equal(await page.locator('.try').count(), 0)
})
