import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVERY_PAGE } from '../../src/http/discovery/docs/page-list.ts'
import {
  accessibilityViolations,
  checkNoOverflow,
  openChromiumPage,
} from '../support/actors/chromium-page.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

/** The others are rendered by the same functions. */
const AXE_PAGES = [
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
]

const MORE_PAGES = ['/', '/docs/search?q=refresh', '/status', '/feedback'].map((path) => ({ path }))

const WINDOWS = [
  { width: 1280, colorScheme: 'light' },
  { width: 320, colorScheme: 'dark' },
] as const

test('every page fits at 1280 and 320 px, and loads no third-party resource', {
  skip: slow,
}, async (t) => {
  const { baseUrl } = await world(t, { through: 'port' })
  const { page, browserErrors } = await openChromiumPage(t, WINDOWS[0].width)
  const thirdParty: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(`${baseUrl}/`)) {
      thirdParty.push(request.url())
    }
  })
  for (const { path } of [...MORE_PAGES, ...EVERY_PAGE]) {
    await page.goto(baseUrl + path)
    for (const { width } of WINDOWS) {
      await page.setViewportSize({ width, height: 800 })
      await checkNoOverflow(page, `${path} at ${width} px`)
    }
  }
  assert.deepEqual([browserErrors, thirdParty], [[], []])
})

for (const { width, colorScheme } of WINDOWS) {
  test(`a page of each kind passes axe at ${width} px (${colorScheme})`, {
    skip: slow,
  }, async (t) => {
    const { baseUrl } = await world(t, { through: 'port' })
    const { page } = await openChromiumPage(t, width, colorScheme)
    for (const path of AXE_PAGES) {
      await page.goto(baseUrl + path)
      assert.deepEqual(await accessibilityViolations(page), [], path)
    }
  })
}

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
