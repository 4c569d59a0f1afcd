import assert from 'node:assert/strict'
import { test } from 'node:test'
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

/** documentation.test.ts and languages.test.ts check the others. */
const others = PAGE_STATES.filter(
  (state) => !CONSOLE_STATES.includes(state) && !/^(?:docs|language)/.test(state.name),
)

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
  })

  test(`every other page state at ${width} px (${colorScheme}) ${promise}`, {
    skip: slow,
  }, async (t) => {
    const { page } = await openStage(t, await launchedChromium(), options)
    for (const state of others) {
      await t.test(state.name, async (each) => check(await stageOn(each, page), state))
    }
  })
}
