import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVERY_PAGE } from '../../src/http/discovery/docs/page-list.ts'
import { accessibilityViolations, openChromiumPage } from '../support/actors/chromium-page.ts'
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

for (const [width, scheme] of [
  [1280, 'light'],
  [320, 'dark'],
] as const) {
  test(`at ${width} px (${scheme}) every page passes axe and loads no third-party resource`, {
    skip: slow,
  }, async (t) => {
    const { baseUrl } = await world(t, { through: 'port' })
    const { page, browserErrors, checkLayout } = await openChromiumPage(t, width, scheme)
    const thirdParty: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(`${baseUrl}/`)) thirdParty.push(request.url())
    })
    for (const { path } of [...MORE_PAGES, ...EVERY_PAGE]) {
      await page.goto(baseUrl + path)
      await checkLayout(`site${path.replaceAll(/[/?=]/g, '-')}`)
      if (AXE_PAGES.has(path)) assert.deepEqual(await accessibilityViolations(page), [], path)
    }
    assert.deepEqual([browserErrors, thirdParty], [[], []])
  })
}
