import type { TestContext } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { world } from '../world.ts'
import type { Stage } from './page-state.ts'

/** A running service and a browser without cookies, for one page state. */
export async function openStage(
  t: TestContext,
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<Stage> {
  const context = await browser.newContext(options)
  t.after(() => context.close())
  return stageOn(t, await context.newPage())
}

/** A running service, opened in a page that has shown another one: a new browser context costs more than a service. */
export async function stageOn(t: TestContext, page: Page): Promise<Stage> {
  // Other ports share cookies, but nothing else.
  await page.context().clearCookies()
  // Pages compare times with the machine's, so the service has its clock.
  const here = await world(t, {
    through: 'port',
    realTime: true,
    env: { OPERATOR_NAME: 'Example Inc.' },
  })
  return {
    here,
    page,
    open: async (path) => void (await page.goto(here.baseUrl + path)),
    press: (name) => page.getByRole('button', { name }).first().click(),
  }
}
