import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVERY_PAGE } from '../../src/http/discovery/docs/page-list.ts'
import { accessibilityViolations, checkNoOverflow, openChromiumPage } from '../support/actors/chromium-page.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

/** One page of each kind: the others are rendered by the same functions. */
const AXE_PAGES = new Set([
  '/',
  '/docs',
  '/docs/agents',
  '/docs/errors',
  '/docs/recipes/node',
  '/docs/api',
  '/docs/api/sessions',
  '/offerings/social-login',
  '/docs/search?q=refresh',
  '/status',
  '/feedback',
])

const MORE_PAGES = ['/', '/docs/search?q=refresh', '/status', '/feedback'].map((path) => ({ path }))

const WINDOWS = [
  { width: 1280, colorScheme: 'light' },
  { width: 320, colorScheme: 'dark' },
] as const

test('every page passes axe at 1280 px (light) and 320 px (dark), and loads no third-party resource', {
  skip: slow,
}, async (t) => {
  const { baseUrl } = await world(t, { through: 'port' })
  const { page, browserErrors } = await openChromiumPage(t, WINDOWS[0].width)
  const thirdParty: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(`${baseUrl}/`)) thirdParty.push(request.url())
  })
  for (const { path } of [...MORE_PAGES, ...EVERY_PAGE]) {
    await page.goto(baseUrl + path)
    for (const { width, colorScheme } of WINDOWS) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme })
      await checkNoOverflow(page, `${path} at ${width} px`)
      if (AXE_PAGES.has(path)) assert.deepEqual(await accessibilityViolations(page), [], `${path} at ${width} px`)
    }
  }
  assert.deepEqual([browserErrors, thirdParty], [[], []])
})

test('no element has a transition or an animation for a person who asks for reduced motion', {
  skip: slow,
}, async (t) => {
  const { baseUrl } = await world(t, { through: 'port' })
  const { page } = await openChromiumPage(t, 1280)
  await page.goto(baseUrl)
  const moving = `[...document.querySelectorAll('*')].filter((element) => {
    const { transitionDuration, animationName } = getComputedStyle(element)
    return transitionDuration !== '0s' || animationName !== 'none'
  }).map((element) => element.textContent)`
  assert.deepEqual(await page.evaluate<string[]>(moving), [])
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  assert.notDeepEqual(await page.evaluate<string[]>(moving), [])
})
