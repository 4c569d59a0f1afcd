import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { TestContext } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { launchChromium } from './chromium.ts'
import { sharedBrowser } from './shared-browser.ts'

export const launchedChromium = sharedBrowser<Browser>(launchChromium, (browser) => browser.close())

export interface ChromiumPage {
  readonly page: Page
  /** Console messages, page errors and failed requests. */
  readonly browserErrors: string[]
  /** Fails when the page scrolls horizontally; with SCREENSHOTS set, saves a screenshot under this name. */
  checkLayout(name: string): Promise<void>
}

/**
 * A page in a new Chromium context, without cookies. It asks for reduced motion: a color read during a transition is
 * neither the one before nor the one after it.
 */
export async function openChromiumPage(
  t: TestContext,
  width: number,
  colorScheme: 'light' | 'dark' = 'light',
  options: Pick<BrowserContextOptions, 'javaScriptEnabled' | 'timezoneId'> = {},
): Promise<ChromiumPage> {
  const viewport = { width, height: 800 }
  const context = await (await launchedChromium()).newContext({
    ...options,
    viewport,
    colorScheme,
    reducedMotion: 'reduce',
  })
  t.after(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  const browserErrors: string[] = []
  page.on('console', (message) => {
    // An ordinary Chromium asks an app for an icon that its page doesn't name; a headless shell doesn't.
    const isAboutIcon = message.location().url.endsWith('/favicon.ico')
    if (message.type() !== 'log' && !isAboutIcon) {
      browserErrors.push(`${message.type()}: ${message.text()}`)
    }
  })
  page.on('pageerror', (error) => browserErrors.push(String(error)))
  page.on('requestfailed', (request) => {
    const error = request.failure()?.errorText
    // What ends with its page has not failed: a script's request, such as a long poll, and that of the tab for its icon.
    const mayEnd = request.resourceType() === 'fetch' || request.url().endsWith('/assets/mark.svg')
    if (mayEnd && error === 'net::ERR_ABORTED') {
      return
    }
    browserErrors.push(`${request.url()}: ${error}`)
  })
  return {
    page,
    browserErrors,
    async checkLayout(name) {
      const folder = process.env.SCREENSHOTS
      if (folder) {
        await page.screenshot({ path: path.join(folder, `${name}-${width}.png`), fullPage: true })
      }
      await checkNoOverflow(page, name)
    },
  }
}

/** Fails when the page or a command scrolls horizontally, or a Copy button covers a command. */
export async function checkNoOverflow(page: Page, name: string): Promise<void> {
  await waitForStyles(page)
  const { scrollWidth, clientWidth } = await page.evaluate<{
    scrollWidth: number
    clientWidth: number
  }>(
    '({ scrollWidth: document.documentElement.scrollWidth, clientWidth: document.documentElement.clientWidth })',
  )
  assert.ok(
    scrollWidth <= clientWidth,
    `${name} is ${scrollWidth} wide in a window of ${clientWidth}`,
  )
  assert.deepEqual(
    await page.evaluate<string[]>(CUT_COMMANDS),
    [],
    `${name}: commands that are cut or covered`,
  )
}

/** An element can be found before the stylesheet has arrived; the load event comes after it. */
async function waitForStyles(page: Page): Promise<void> {
  await page.waitForLoadState('load')
}

/** `getClientRects` has a box for each line. */
const CUT_COMMANDS = `[...document.querySelectorAll('.command')].filter((command) => {
  if (!command.checkVisibility()) return false
  if (command.scrollWidth > command.clientWidth) return true
  const button = command.parentElement.querySelector('.copy')?.getBoundingClientRect()
  const lines = [...command.querySelector('code').getClientRects()]
  return button && lines.some((line) => line.right > button.left && line.bottom > button.top && line.top < button.bottom)
}).map((command) => command.getAttribute('aria-label'))`

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Without the elements that pass: a reference page has thousands, and to describe them takes most of the time. */
const AXE_RUN = `axe.run({ resultTypes: ['violations'], selectors: false })`

/** The axe violations of a page. Playwright evaluates the script, so the Content-Security-Policy does not block it. */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  await waitForStyles(page)
  if (!(await page.evaluate<boolean>(`'axe' in window`))) {
    await page.evaluate(AXE)
  }
  const { violations } = await page.evaluate<{
    violations: { id: string; nodes: { html: string }[] }[]
  }>(AXE_RUN)
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
