import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVERY_PAGE } from '../../src/http/discovery/page-list.ts'
import { accessibilityViolations, openChromiumPage } from '../support/actors/chromium-page.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

/** One of each kind: the others are made by the same few functions. */
const KINDS = new Set(['/', '/docs', '/docs/agents', '/docs/errors', '/docs/recipes', '/offerings/social-login'])

for (const [width, scheme] of [
  [1280, 'light'],
  [320, 'dark'],
] as const) {
  test(`at ${width} pixels, in the ${scheme}, every page can be read by everybody, and asks nobody else`, {
    skip: slow,
  }, async (t) => {
    const { baseUrl } = await world(t)
    const { page, browserErrors, checkLayout } = await openChromiumPage(t, width, scheme)
    const foreign: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(`${baseUrl}/`)) foreign.push(request.url())
    })
    for (const { path } of [{ path: '/' }, ...EVERY_PAGE]) {
      await page.goto(baseUrl + path)
      await checkLayout(`site${path.replaceAll('/', '-')}`)
      if (KINDS.has(path)) assert.deepEqual(await accessibilityViolations(page), [], path)
    }
    assert.deepEqual([browserErrors, foreign], [[], []])
  })
}
