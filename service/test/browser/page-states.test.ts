import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TrieRouter } from 'hono/router/trie-router'
import {
  accessibilityViolations,
  checkNoOverflow,
  launchedChromium,
} from '../support/actors/chromium-page.ts'
import { CONSOLE_STATES } from '../support/page-states/console-states.ts'
import type { PageState, Stage } from '../support/page-states/page-state.ts'
import { PAGE_STATES } from '../support/page-states/page-states.ts'
import { openStage, stageOn } from '../support/page-states/stage.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

/** documentation.test.ts and languages.test.ts check the others. */
const others = PAGE_STATES.filter(
  (state) => !CONSOLE_STATES.includes(state) && !/^(?:docs|language)/.test(state.name),
)

/** The routes that a state has shown: a redirect shows nothing. */
const shown = new Set<string>()

async function rememberRoutes({ here }: Stage): Promise<void> {
  const { text } = await here.agent.call('GET', '/metrics')
  for (const [, route = ''] of text.matchAll(/\{method="GET",route="([^"]+)",status="[245]/g)) {
    shown.add(route)
  }
}

for (const [javaScriptEnabled, width, colorScheme] of [
  [true, 390, 'dark'],
  [false, 1280, 'light'],
] as const) {
  const promise = javaScriptEnabled
    ? 'passes axe and does not scroll sideways'
    : 'works without scripts'
  const options = { javaScriptEnabled, viewport: { width, height: 800 }, colorScheme }
  const check = async (stage: Stage, { name, show }: PageState): Promise<void> => {
    await show(stage)
    // axe is a script itself.
    if (javaScriptEnabled) {
      assert.deepEqual(await accessibilityViolations(stage.page), [], name)
    }
    await checkNoOverflow(stage.page, name)
  }

  test(`every page of the console at ${width} px (${colorScheme}) ${promise}`, {
    skip: slow,
  }, async (t) => {
    const stage = await openStage(t, await launchedChromium(), options)
    for (const state of CONSOLE_STATES) {
      await check(stage, state)
    }
    await rememberRoutes(stage)
  })

  test(`every other page state at ${width} px (${colorScheme}) ${promise}`, {
    skip: slow,
  }, async (t) => {
    const { page } = await openStage(t, await launchedChromium(), options)
    for (const state of others) {
      await t.test(state.name, async (each) => {
        const stage = await stageOn(each, page)
        await check(stage, state)
        await rememberRoutes(stage)
      })
    }
  })
}

/** Routes that show no page, and pages that need more than a state. */
const WITHOUT_STATE: Readonly<Record<string, string>> = {
  '/try/:tenantId/callback': 'redirects',
  '/logo/:tenantId/:file': 'a picture',
  '/auth/:provider/callback': 'redirects',
  '/auth/:provider/callback/:tenantId': 'redirects',
  '/auth/link/:token': 'redirects',
  '/account/projects/:tenantId/keys/file': 'a file',
  '/account/deletions/:tenantId': 'deletion.test.ts shows it',
  '/account/insights/data': 'data',
  '/authorize': 'redirects',
  '/c/:token': 'redirects',
  '/oauth/authorize': 'redirects',
  '/oauth/consent/:approvalId/decided': 'oauth.test.ts and double-click.test.ts show it',
}

/** APIs, and documents, which documentation.test.ts shows. */
const NO_PAGE =
  /^\/(?:api|assets|docs|edge|healthz|mcp|metrics|offerings|packages|readyz|\.well-known)(?:\/|$)|\.\w+$|.\/$/

test('every page has a state', { skip: slow }, async (t) => {
  const { mock } = t.mock.method(TrieRouter.prototype, 'add')
  const { agent } = await world(t)
  // The first request loads the routes.
  await agent.call('GET', '/')
  const routes = mock.calls.flatMap(({ arguments: [method, route] }) =>
    method === 'GET' && !NO_PAGE.test(route) ? [route] : [],
  )
  const without = [...new Set(routes)].filter((route) => !shown.has(route))
  assert.deepEqual(without.sort(), Object.keys(WITHOUT_STATE).sort())
})
