import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import type { TestContext } from 'node:test'
import { webkit } from 'playwright-core'
import { launchedFirefox } from '../../service/test/support/actors/firefox-page.ts'

/** A page as Chromium has it, without the state of the person who opened it: another engine needs no cookies to show it. */
interface Snapshot {
  readonly html: string
  /** Where its styles and pictures are. */
  readonly origin: string
  readonly width: number
  readonly heightMax: number
  /** Of the picture. */
  readonly path: string
}

/** A browser engine that shows what Chromium was led to. */
export interface OtherEngine {
  readonly name: string
  shoot(snapshot: Snapshot): Promise<void>
}

/** null: there is none. */
export async function openFirefox(t: TestContext): Promise<OtherEngine | null> {
  const firefox = await launchedFirefox()
  if (firefox === null) return null
  const { bidi } = firefox
  const { userContext } = await bidi.send('browser.createUserContext', {})
  const { context } = await bidi.send('browsingContext.create', { type: 'tab', userContext })
  t.after(() => bidi.send('browser.removeUserContext', { userContext }))
  return {
    name: 'firefox',
    async shoot({ origin, width, heightMax, html, path }) {
      await bidi.send('browsingContext.setViewport', { context, viewport: { width, height: 800 } })
      await bidi.send('browsingContext.navigate', { context, url: origin + BLANK, wait: 'complete' })
      const { result } = await bidi.send('script.evaluate', {
        expression: showing(html),
        target: { context },
        awaitPromise: true,
      })
      const clip = { type: 'box', x: 0, y: 0, width, height: Math.min(heightMax, Number(result.value)) }
      const { data } = await bidi.send('browsingContext.captureScreenshot', { context, origin: 'document', clip })
      await writeFile(path, data, 'base64')
    },
  }
}

/**
 * Playwright's own build, which `npx playwright-core install webkit` downloads, or the WebKitWebDriver of a Linux distribution that
 * runs at $WEBKIT_DRIVER, such as http://127.0.0.1:4444. null: there is neither.
 */
export async function openWebKit(t: TestContext): Promise<OtherEngine | null> {
  if (process.env.WEBKIT_DRIVER) return openWebKitDriver(t, process.env.WEBKIT_DRIVER)
  if (!existsSync(webkit.executablePath())) return null
  const browser = await webkit.launch()
  t.after(() => browser.close())
  const page = await browser.newPage()
  return {
    name: 'webkit',
    async shoot({ origin, width, heightMax, html, path }) {
      await page.setViewportSize({ width, height: 800 })
      await page.goto(origin + BLANK)
      const height = Number(await page.evaluate<string>(showing(html)))
      await page.screenshot({ path, fullPage: true, clip: { x: 0, y: 0, width, height: Math.min(heightMax, height) } })
    },
  }
}

/** Its window is as tall as the page, because WebDriver has no picture of what is outside of it. It may have a minimum width. */
async function openWebKitDriver(t: TestContext, driver: string): Promise<OtherEngine> {
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(driver + path, { method, ...(body && { body: JSON.stringify(body) }) })
    const { value } = (await response.json()) as { value: T }
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(value)}`)
    return value
  }
  const { sessionId } = await call<{ sessionId: string }>('POST', '/session', { capabilities: {} })
  const session = `/session/${sessionId}`
  t.after(() => call('DELETE', session))
  const run = (script: string) => call<string>('POST', `${session}/execute/sync`, { script, args: [] })
  return {
    name: 'webkit',
    async shoot({ origin, width, heightMax, html, path }) {
      await call('POST', `${session}/window/rect`, { width, height: 800 })
      await call('POST', `${session}/url`, { url: origin + BLANK })
      const height = Math.min(heightMax, Number(await run(`return ${showing(html)}`)))
      const bars = Number(await run('return outerHeight - innerHeight'))
      await call('POST', `${session}/window/rect`, { width, height: height + bars })
      await writeFile(path, await call<string>('GET', `${session}/screenshot`), 'base64')
    },
  }
}

/** A page that needs no session. Its policy allows the styles and pictures of all others. */
const BLANK = '/status'

/** Replaces the page by the snapshot, whose scripts don't run again, and returns its height. */
const showing = (html: string): string => `(async () => {
  const { documentElement } = new DOMParser().parseFromString(${JSON.stringify(html)}, 'text/html')
  document.replaceChild(document.adoptNode(documentElement), document.documentElement)
  const loading = [...document.querySelectorAll('link[rel=stylesheet], img')].filter((one) => !one.sheet && !one.complete)
  await Promise.all(loading.map((one) => new Promise((done) => { one.onload = one.onerror = done })))
  return String(document.documentElement.scrollHeight)
})()`
