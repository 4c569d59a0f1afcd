import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { after, type TestContext } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from './chromium.ts'

let launched: Promise<Browser> | undefined
after(async () => {
  await (await launched)?.close()
})

export interface Visit {
  readonly page: Page
  /** Whatever the browser complained about. */
  readonly complaints: string[]
  look(name: string): Promise<void>
}

/** A window that knows nobody, and that writes down every complaint. */
export async function visit(t: TestContext, width: number, colorScheme: 'light' | 'dark' = 'light'): Promise<Visit> {
  launched ??= launchChromium()
  const context = await (await launched).newContext({ viewport: { width, height: 800 }, colorScheme })
  t.after(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() !== 'log') complaints.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('requestfailed', (request) => complaints.push(`${request.url()}: ${request.failure()?.errorText}`))
  return {
    page,
    complaints,
    async look(name) {
      const folder = process.env.SCREENSHOTS
      if (folder) await page.screenshot({ path: path.join(folder, `${name}-${width}.png`), fullPage: true })
      const { inside, outside } = await page.evaluate<{ inside: number; outside: number }>(
        '({ inside: document.documentElement.scrollWidth, outside: document.documentElement.clientWidth })',
      )
      assert.ok(inside <= outside, `${name} is ${inside} wide in a window of ${outside}`)
    },
  }
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What an accessibility checker has against this page. It is evaluated from outside, so the page's policy stays as it is. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>('axe.run()')
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
